/** Longer than any command or usual name, and shorter than a key. */
const longestShown = 32

/** A word that is not known, as an error repeats it: a long one may be a key that somebody gave in the wrong place. */
export function showWord(word: string): string {
  return word.length > longestShown ? `of ${word.length} characters` : `"${word}"`
}
