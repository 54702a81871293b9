import { quoteWord } from '../base/text.ts'

/** Words that are assigned to flags, but not checked. Flags can be unknown, and values can be invalid. */
export interface Words {
  /** Words before the first unknown flag, except known flags and their values. */
  operands: readonly string[]
  /** Values of flags by key (`externalUserId`). If a flag has a value, the array contains the text of each occurrence. */
  given: Readonly<Record<string, true | readonly string[]>>
  /** The first unknown flag and all later words, except known flags and their values. */
  rest: readonly string[]
  /** The last word, if it is a flag whose required value is missing. */
  valueless?: string | undefined
}

export function lastText(value: Words['given'][string] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : undefined
}

export function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-') && !/^-\.?\d/.test(word)
}

export function endOfFlags(words: readonly string[]): number {
  return words.includes('--') ? words.indexOf('--') : words.length
}

export function commandText(argv: readonly string[]): string {
  return ['facescan', ...argv].map(quoteWord).join(' ')
}
