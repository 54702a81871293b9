import type { Field } from './fields.ts'

/** Checks of flag values. Every command with a checked flag loads this file, so this file imports no code. */

/** The delimiter for the value of a flag, such as `tab`. Undefined if the text cannot be a delimiter. */
export function delimiterOf(text: string): string | undefined {
  const character = text === 'tab' || text === '\\t' ? '\t' : text
  return /^[^\0"\r\n\x7f-\uffff]$/.test(character) ? character : undefined
}

/** The pattern for a format with D, DD, M, MM, and YYYY. Undefined for an invalid format. */
export function datePattern(format: string): RegExp | undefined {
  const tokens = format.match(/D+|M+|Y+|[^DMY]+/g) ?? []
  const known = {
    D: '(?<day>\\d{1,2})',
    DD: '(?<day>\\d{2})',
    M: '(?<month>\\d{1,2})',
    MM: '(?<month>\\d{2})',
  }
  const sources = new Map<string, string>([...Object.entries(known), ['YYYY', '(?<year>\\d{4})']])
  const letters = tokens.map((token) => token[0]).filter((letter) => /[DMY]/.test(letter ?? ''))
  const isValid = tokens.every((token) => sources.has(token) || !/[A-Za-z0-9]/.test(token))
  if (!isValid || [...letters].sort().join('') !== 'DMY') return undefined
  return new RegExp(`^${tokens.map((token) => sources.get(token) ?? escapePattern(token)).join('')}$`)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The accepted value for a spelling. Case is ignored. Undefined if the spelling is unknown. */
export function acceptedValue({ values = {} }: Field, text: string): string | undefined {
  const typed = text.toLowerCase()
  const found = Object.entries(values).find(
    ([value, spellings]) => value.toLowerCase() === typed || spellings.includes(typed),
  )
  return found?.[0]
}

/** Texts that programs write for a missing value. */
export const noValue = /^(?:null|nil|none|n\/?a|nan|nat|<na>|\\n|-+|unknown|undefined)$/i
