import type * as z from 'zod/mini'
import { ServiceError } from '../base/errors.ts'
import { describeMismatch, emptyList } from '../contract/mismatch.ts'
import type { Call } from './chain.ts'
import { maybeDone } from './meaning.ts'
import { BadBody, type Content, requestIdOf, urlOf, type WireResponse } from './wire.ts'

/** The content of a response that does not match its schema. Throws if the content cannot be printed. */
export function acceptMismatch(
  { status }: WireResponse,
  schema: z.core.$ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): Content {
  // Some services return 204 for an empty list. The request is a read, because `requireConfirmation` already refuses a change without a
  // body.
  const empty = status === 204 ? emptyList(schema) : undefined
  if (empty !== undefined)
    return { value: empty, problems: ['expected a list, received status 204 without a body'], isClear: true }
  const { problems, isUsable } = describeMismatch(schema, value, issues)
  if (!isUsable) throw BadBody.mismatch(problems)
  return { value, problems }
}

/** The error for a success response that cannot be used. A change may have been applied nevertheless. */
export function explainBadBody(
  { kind, message }: BadBody,
  { endpoint, request }: Call,
  response: WireResponse,
  baseUrl: URL,
): ServiceError {
  const { status } = response
  const isRead = endpoint.effect === 'read'
  const text =
    kind === 'mismatch'
      ? `invalid response from ${endpoint.method} ${endpoint.path}: ${message}`
      : `${urlOf(request).host} returned ${status}${message}`
  const check =
    kind === 'unreadable'
      ? 'Check that the base URL points to the service, not to a web page or proxy.'
      : undefined
  const shared = { status, requestId: requestIdOf(response) }
  if (!isRead)
    return new ServiceError('server', text, {
      ...shared,
      applied: 'maybe',
      retryable: false,
      hint: [maybeDone, check ?? []].flat(),
    })
  const { method, path, body } = request
  const target = { method, path: path.slice(baseUrl.pathname.replace(/\/+$/, '').length), body }
  return new ServiceError('server', text, {
    ...shared,
    hint: check,
    ...(kind === 'mismatch' && { request: target }),
  })
}
