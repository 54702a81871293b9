import { ServiceError } from '../base/errors.ts'
import { findUnconfirmed } from '../contract/echo.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { checkReply, emptyList } from '../contract/lenient.ts'
import { maybeDone } from './explain-failure.ts'
import { readReply, requestIdOf } from './reply.ts'
import type { AnyInput } from './request.ts'
import { urlOf, type WireReply, type WireRequest } from './wire.ts'

export interface Exchanged {
  endpoint: Endpoint
  input: AnyInput
  request: WireRequest
  reply: WireReply
}

export interface Read {
  value: unknown
  /** Differences to the contract that still allow using the value. */
  problems: string[]
  /** Whether the problems concern only `--strict`, because the meaning of the reply is clear. */
  isClear?: boolean
}

/** Reads the body of a success reply. Throws if the body cannot be read, or if a change is then not confirmed. */
export function readRaw(exchanged: Exchanged): Read {
  const { endpoint, request, reply } = exchanged
  try {
    const value = readReply(endpoint, request, reply)
    if (endpoint.effect !== 'read' && !confirms(exchanged)) throw unconfirmed(exchanged)
    return { value, problems: [] }
  } catch (error) {
    if (endpoint.effect !== 'read' && error instanceof ServiceError) throw mayBeApplied(error)
    throw error
  }
}

/** A 202 only announces the change. No body for a change that returns data can come from a proxy. */
function confirms({ endpoint, reply }: Exchanged): boolean {
  const returnsData = Object.values(endpoint.replies).some((schema) => schema !== null)
  return reply.status !== 202 && !(returnsData && reply.body.length === 0)
}

function unconfirmed({ request, reply }: Exchanged): ServiceError {
  const { status } = reply
  const problem = status === 202 ? ', which does not confirm the change' : ' without a body'
  const message = `${urlOf(request).host} returned ${status}${problem}`
  return new ServiceError('server', message, { status, requestId: requestIdOf(reply) })
}

function mayBeApplied({ code, message, details }: ServiceError): ServiceError {
  const hint = [maybeDone, details.hint ?? []].flat()
  return new ServiceError(code, message, { ...details, applied: 'maybe', retryable: false, hint })
}

/** Also compares the body with the contract and, for a change, with the request. */
export function readChecked(exchanged: Exchanged, baseUrl: URL): Read {
  const { endpoint, input, reply } = exchanged
  const read = readRaw(exchanged)
  const { value } = read
  const [usual = reply.status] = Object.keys(endpoint.replies).map(Number)
  const schema = endpoint.replies[reply.status in endpoint.replies ? reply.status : usual]
  if (schema === undefined || schema === 'png') return read
  if (schema === null)
    return value === null ? read : { value, problems: [`expected no body with status ${reply.status}`] }
  // Some services return 204 for an empty list.
  const empty = reply.status === 204 && endpoint.effect === 'read' ? emptyList(schema) : undefined
  if (empty !== undefined)
    return { value: empty, problems: ['expected a list, received status 204 without a body'], isClear: true }
  const { problems, isUsable } = checkReply(schema, value)
  if (!isUsable) throw unusable(exchanged, problems, baseUrl)
  if (endpoint.effect === 'read') return { value, problems }
  const userId = input.params?.['user_id'] ?? input.user?.['user_id']
  const differences = findUnconfirmed({ userId, body: input.body }, value)
  if (differences.length > 0) throw unusable(exchanged, differences, baseUrl)
  return { value, problems }
}

/** The reply cannot be shown, not even as a table with gaps, or it does not belong to the request. */
function unusable({ endpoint, request, reply }: Exchanged, problems: string[], baseUrl: URL): ServiceError {
  const message = `invalid response from ${endpoint.method} ${endpoint.path}: ${problems.slice(0, 3).join('; ')}`
  const details = { status: reply.status, requestId: requestIdOf(reply) }
  if (endpoint.effect !== 'read') return mayBeApplied(new ServiceError('server', message, details))
  const { method, path, body } = request
  const target = path.slice(baseUrl.pathname.replace(/\/+$/, '').length)
  return new ServiceError('server', message, { ...details, request: { method, path: target, body } })
}
