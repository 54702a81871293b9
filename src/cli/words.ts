import { quoteWord } from '../base/text.ts'

/** Words that are bound to flags, but not checked. Values and flags may be invalid. */
export interface Words {
  /** Words before the first unknown flag, without flags and their values. */
  operands: readonly string[]
  /** Flags by key (`externalUserId`). A flag with a value has one text for each occurrence. */
  given: Readonly<Record<string, true | readonly string[]>>
  /** The first unknown flag and all later words, without known flags. */
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
