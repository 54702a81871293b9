import { distance } from 'fastest-levenshtein'

const shortestPart = 3

/** The candidate a person most likely meant: a slip away, or one that was written in part (`--external-id`, `dash`). */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const written = word.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(written, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const [closest] = ranked
  if (closest && closest.edits <= Math.max(2, Math.floor(word.length / 3))) return closest.candidate
  return ranked.find(({ candidate }) => isPart(written, candidate.toLowerCase()))?.candidate
}

/** Whether it is the beginning of the candidate, or leaves out some of its words. */
function isPart(written: string, candidate: string): boolean {
  const words = candidate.split(/[-_ ]+/)
  const given = written.split(/[-_ ]+/).filter(Boolean)
  if (given.join('').length < shortestPart) return false
  return candidate.startsWith(written) || given.every((word) => words.includes(word))
}
