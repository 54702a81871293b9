import { distance } from 'fastest-levenshtein'

const minimumPartLength = 3

/** The candidate that a word with a typing error (`wieght`), or a part of a name (`dash`), most likely means. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const length = typed.replace(/^-+/, '').length
  const isClose = ({ candidate, edits }: (typeof ranked)[number]) =>
    edits <= Math.max(1, Math.floor(length / 3)) ||
    (edits === 2 && isReordered(typed, candidate.toLowerCase()))
  const close = ranked.find(isClose) ?? ranked.find(({ candidate }) => isPart(typed, candidate.toLowerCase()))
  return close?.candidate
}

/** The suggestion `; did you mean "weight"?`, or an empty text if no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}

/** Whether two words differ only in the order of their letters, such as `lsit` and `list`. */
function isReordered(typed: string, candidate: string): boolean {
  const sorted = (word: string) => [...word].sort().join('')
  return typed.length >= minimumPartLength && sorted(typed) === sorted(candidate)
}

/** Whether the typed text is the start of the candidate, or consists of some of its words. */
function isPart(typed: string, candidate: string): boolean {
  const words = candidate.split(/[-_/ ]+/)
  const typedWords = typed.split(/[-_/ ]+/).filter(Boolean)
  if (typedWords.join('').length < minimumPartLength) return false
  return candidate.startsWith(typed) || typedWords.every((word) => words.includes(word))
}
