import { orUndefined } from '../../base/functions.ts'
import { literalPattern, writtenForms } from '../../base/text.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { Answer, Reason, UserRef } from '../types.ts'

interface Problems {
  whole: Reason
  /** Reasons by position. Undefined unless each problem names a position. */
  byRow?: Map<number, Reason> | undefined
}

const longestMessage = 200

/** Reads the body of any 4xx response. */
export function readProblems({ status, body }: Pick<WireResponse, 'status' | 'body'>): Problems {
  const code = `refused_${status}`
  const fallback = { code, message: `the service responded with ${status}` }
  const detail = readDetail(body)
  if (typeof detail === 'string') return { whole: { code, message: inOneLine(detail) } }
  if (!Array.isArray(detail) || detail.length === 0) return { whole: fallback }
  const items = detail.map(readItem)
  const whole = { code, message: inOneLine(items.map(({ message }) => message).join('; ')) }
  const byRow = new Map<number, Reason>()
  for (const { row, message } of items) {
    if (row === undefined) return { whole }
    const earlier = byRow.get(row)
    byRow.set(row, { code, message: inOneLine(earlier ? `${earlier.message}; ${message}` : message) })
  }
  return { whole, byRow }
}

/** Truncates a reason and masks the user ID and the answers, so that the reason can be saved. */
export function reasonToKeep({ code, message }: Reason, user: UserRef, answers: readonly Answer[]): Reason {
  const quoted = new Set([user.id, ...answers.map(({ value }) => String(value))].flatMap(writtenForms))
  const longestFirst = [...quoted].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${longestFirst.map(literalPattern).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  const masked = message.replace(pattern, '…')
  return { code, message: masked.length > longestMessage ? `${masked.slice(0, longestMessage)}…` : masked }
}

function readDetail(body: Uint8Array): unknown {
  return orUndefined(() => JSON.parse(Buffer.from(body).toString()).detail)
}

/** Reads one item of a 422. `loc` contains the position in the list, and the field. */
function readItem(item: unknown): { row: number | undefined; message: string } {
  if (typeof item !== 'object' || item === null) return { row: undefined, message: String(item) }
  const loc = 'loc' in item && Array.isArray(item.loc) ? item.loc : []
  const text = 'msg' in item ? String(item.msg) : 'rejected'
  const isOfBody = !['path', 'query', 'header', 'cookie'].includes(loc[0])
  const row = isOfBody ? loc.find((part) => Number.isSafeInteger(part) && part >= 0) : undefined
  const field = loc.filter((part) => typeof part === 'string' && part !== 'body').join('.')
  return { row, message: field === '' ? text : `${field}: ${text}` }
}

function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
