import { distance } from 'fastest-levenshtein'

const minimumPartLength = 3

/** The candidate that a person most likely meant: a typo (`wieght`) or a part of the name (`--external-id`, `dash`). */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const [closest] = ranked
  if (closest && closest.edits <= Math.max(2, Math.floor(word.length / 3))) return closest.candidate
  return ranked.find(({ candidate }) => isPart(typed, candidate.toLowerCase()))?.candidate
}

/** Whether the typed text is the start of the candidate or consists of some of its words. */
function isPart(typed: string, candidate: string): boolean {
  const words = candidate.split(/[-_ ]+/)
  const typedWords = typed.split(/[-_ ]+/).filter(Boolean)
  if (typedWords.join('').length < minimumPartLength) return false
  return candidate.startsWith(typed) || typedWords.every((word) => words.includes(word))
}
