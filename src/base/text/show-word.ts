/** Longer than any command and most profile names, and shorter than a key. */
export const longestShown = 32

/** Characters of names. A key also contains others. */
const plain = /^[\p{L}\p{N} ._:/=+@,-]*$/u

/** An unknown word as an error shows it. Another word is not shown, because it may be a key in the wrong place. */
export function showWord(word: string): string {
  return word.length <= longestShown && plain.test(word) ? `"${word}"` : `of ${word.length} characters`
}
