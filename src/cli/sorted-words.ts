/** The words of a command line, sorted but not checked: values may be invalid, and flags may be unknown. */
export interface SortedWords {
  /** Words before the first unknown flag that are neither flags nor values. */
  operands: readonly string[]
  /** By attribute name (`externalUserId`). A flag with a value has one text for each time it is given. */
  given: Readonly<Record<string, boolean | readonly string[]>>
  unknownFlags: readonly string[]
  /** Words after the first unknown flag. The first one may be its value. */
  doubtful: readonly string[]
  /** The last word, if it is a flag that lacks its value. */
  valueless?: string
}

export function lastText(value: SortedWords['given'][string] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : undefined
}
