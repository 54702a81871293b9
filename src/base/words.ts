/** The words before `--`, after which nothing is a flag. */
export function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

export function asksForHelp(words: readonly string[]): boolean {
  return beforeDashes(words).some((word) => word === '--help' || word === '-h')
}
