/** Longer than any command and most profile names, and shorter than a key. */
const maximumLength = 32

/** An unknown word as an error shows it. A long word is not shown, because it may be a key in the wrong place. */
export function showWord(word: string): string {
  return word.length > maximumLength ? `of ${word.length} characters` : `"${word}"`
}
