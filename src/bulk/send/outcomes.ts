import { FacescanError, NetworkError } from '../../base/errors.ts'
import { fieldsOf, readJsonBody } from '../../base/json.ts'
import { countOf, literalPattern, writtenForms } from '../../base/text.ts'
import { detailLines, statesMissingUser } from '../../http/error-response.ts'
import { factsOf, meaningOf, parseRetryAfter } from '../../http/meaning.ts'
import { describeProblem } from '../../http/network-errors.ts'
import { TunnelRefused } from '../../http/proxy.ts'
import type { WireResponse } from '../../http/wire.ts'
import type { Answer, Reason, UserRef } from '../types.ts'
import { type AttemptResult, stopError } from './attempt.ts'

export type Action =
  /** Not applied. The request is sent again after a wait. */
  | { do: 'retry'; retryAfterMs?: number | undefined }
  /** The rows may have been applied. The listed answers of the user show which rows were applied. */
  | { do: 'reconcile'; failing: boolean }
  /** The service rejected these rows. It did not apply the other rows of the request either. */
  | { do: 'reject'; rows: Map<number, Reason> }
  /** At least one row is rejected, but the response does not name it, so the batch is split. */
  | { do: 'bisect' }
  /** Not applied, because the request is too large. The batch is split. */
  | { do: 'halve' }
  /** A 404 means an unknown user or a wrong base URL. */
  | { do: 'look up user' }
  | { do: 'stop'; error: FacescanError }

/** The next step for a result. `rows` is the number of answers in the request. `now` is the time of day in ms. */
export function decide(outcome: AttemptResult, rows: number, now: number): Action {
  const { applied, isTransient } = meaningOf(factsOf(outcome))
  if (outcome instanceof NetworkError) {
    const { message, cause, details } = outcome
    if (cause instanceof TunnelRefused && !details.retryable)
      return { do: 'stop', error: new FacescanError('import_stopped', message, details) }
    return applied === 'no' ? { do: 'retry' } : { do: 'reconcile', failing: false }
  }
  const { status } = outcome
  if (applied === 'maybe' && status !== 303) return { do: 'reconcile', failing: status >= 500 }
  if (status === 413 && rows > 1) return { do: 'halve' }
  if (isTransient) return { do: 'retry', retryAfterMs: parseRetryAfter(outcome.headers, now) }
  if (isMissingUser(outcome)) return { do: 'look up user' }
  if ([400, 409, 413, 422].includes(status)) return refuse(outcome, rows)
  return { do: 'stop', error: stopError(status) }
}

/** Whether a response can mean that the user does not exist. A 404 can also mean that the base URL is wrong. */
export function isMissingUser(reply: WireResponse): boolean {
  if (reply.status === 404) return true
  // A problem with a position is about a row, even if its text mentions a user.
  return !readProblems(reply).byRow && statesMissingUser(reply.status, detailLines(reply).join('; '))
}

function refuse(reply: WireResponse, rows: number): Action {
  const { whole, byRow } = readProblems(reply)
  if (rows === 1) return { do: 'reject', rows: new Map([[0, byRow?.get(0) ?? whole]]) }
  const isKnown = byRow !== undefined && [...byRow.keys()].every((row) => row < rows)
  return isKnown ? { do: 'reject', rows: byRow } : { do: 'bisect' }
}

/** The error for users whose lookup failed. Another run may succeed. */
export function notLookedUp(users: number): FacescanError {
  return new FacescanError('import_stopped', `${countOf(users, 'user')} could not be looked up after a 404`, {
    hint: {
      text: 'Their rows were not saved. Request permission to view users, or check the profile',
      run: ['status'],
    },
  })
}

/** A result as text, such as `503`, `200 (incomplete)`, or `the connection was reset`. */
export function describeOutcome(outcome: AttemptResult): string {
  if (!(outcome instanceof NetworkError)) return `${outcome.status}${outcome.cut ? ' (incomplete)' : ''}`
  return describeProblem(outcome.cause)
}

interface Problems {
  whole: Reason
  /** Why rows were rejected, by position of the row. Undefined if a problem names no position. */
  byRow?: Map<number, Reason> | undefined
}

const longestMessage = 200

/** Reads the problems from the body of a 4xx response. */
export function readProblems({ status, body }: Pick<WireResponse, 'status' | 'body'>): Problems {
  const code = `refused_${status}`
  const fallback = { code, message: `the service responded with ${status}` }
  const { detail } = fieldsOf(readJsonBody(body))
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

/** Reads one item in the body of a 422 response. `loc` contains the position in the list, and the field. */
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
