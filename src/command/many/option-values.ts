import { UsageError } from '../../base/errors.ts'
import { delimiterOf } from '../../bulk/rows/delimiter.ts'

/** Parsers for the values of flags that imports and lists of users share. */

export function mapping(text: string): [theirs: string, ours: string] {
  const at = text.lastIndexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError(
    `"${text}" is not a column mapping (write theirs=ours, such as "Patient no=external_user_id", or theirs= to ignore a column)`,
  )
}

export function delimiter(text: string): string {
  const character = delimiterOf(text)
  if (character !== undefined) return character
  throw new UsageError(`"${text}" is not one ASCII character (write , or ; or tab)`)
}

export function perSecond(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)
  if (match && Number(match[1]) > 0) return Number(match[1])
  throw new UsageError(`"${text}" is not a rate (write 50/s)`)
}
