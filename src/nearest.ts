import { distance } from 'fastest-levenshtein'

/** The candidate a person most likely meant, if any is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)[0]
  return ranked && ranked.edits <= Math.max(2, Math.floor(word.length / 3)) ? ranked.candidate : undefined
}
