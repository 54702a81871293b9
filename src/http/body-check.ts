import { ServiceError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import { parseJson } from '../base/json.ts'
import { maskExactly } from '../base/mask.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { checkReply, emptyList } from '../contract/lenient.ts'
import type { Call, Step } from './chain.ts'
import { type Content, requestIdOf, secretsOf, urlOf, type WireRequest, type WireResponse } from './wire.ts'

export const maybeDone =
  'The change may have been applied. Check the current data before you repeat the command.'

type Exchanged = Pick<Call, 'endpoint' | 'input' | 'request'> & { response: WireResponse }

/** Reads the body of a response. If the contract defines the call, also compares the body with the contract. */
export function checkBody(baseUrl: URL): Step {
  return async (call, next) => {
    const response = await next(call)
    const isRaw = call.input.route !== undefined
    const exchanged = { ...call, response }
    return { ...response, content: isRaw ? readRaw(exchanged) : await readChecked(exchanged, baseUrl) }
  }
}

/**
 * Reads the body of a success response. Throws if the body cannot be read, or if a proxy could have sent the response instead of the
 * service.
 */
function readRaw(exchanged: Exchanged): Content {
  const { endpoint, request, response } = exchanged
  try {
    const value = readResponse(endpoint, request, response)
    if (endpoint.effect !== 'read' && !confirms(exchanged)) throw unconfirmed(exchanged)
    return { value, problems: [] }
  } catch (error) {
    if (endpoint.effect !== 'read' && error instanceof ServiceError) throw mayBeApplied(error)
    throw error
  }
}

/**
 * Whether the response confirms the change. With status 202, the service may apply the change later or never. An empty response to an
 * endpoint that returns data may come from a proxy.
 */
function confirms({ endpoint, response }: Exchanged): boolean {
  const returnsData = Object.values(endpoint.replies).some((schema) => schema !== null)
  return response.status !== 202 && !(returnsData && response.body.length === 0)
}

function unconfirmed({ request, response }: Exchanged): ServiceError {
  const { status } = response
  const problem = status === 202 ? ', which does not confirm the change' : ' without a body'
  const message = `${urlOf(request).host} returned ${status}${problem}`
  return new ServiceError('server', message, { status, requestId: requestIdOf(response) })
}

function mayBeApplied({ code, message, details }: ServiceError): ServiceError {
  const hint = [maybeDone, details.hint ?? []].flat()
  return new ServiceError(code, message, { ...details, applied: 'maybe', retryable: false, hint })
}

/** Reads the body, compares it with the contract and, for a change, with the request. */
async function readChecked(exchanged: Exchanged, baseUrl: URL): Promise<Content> {
  const { endpoint, input, response } = exchanged
  const read = readRaw(exchanged)
  const { value } = read
  const [usual = response.status] = Object.keys(endpoint.replies).map(Number)
  const schema = endpoint.replies[response.status in endpoint.replies ? response.status : usual]
  if (schema === undefined || schema === 'png') return read
  if (schema === null)
    return value === null ? read : { value, problems: [`expected no body with status ${response.status}`] }
  // Some services return 204 for an empty list.
  const empty = response.status === 204 && endpoint.effect === 'read' ? emptyList(schema) : undefined
  if (empty !== undefined)
    return { value: empty, problems: ['expected a list, received status 204 without a body'], isClear: true }
  const { problems, isUsable } = checkReply(schema, value)
  if (!isUsable) throw unusable(exchanged, problems, baseUrl)
  if (endpoint.effect === 'read') return { value, problems }
  const { findUnconfirmed } = await import('../contract/echo.ts')
  const userId = input.params?.['user_id'] ?? input.user?.['user_id']
  const differences = findUnconfirmed({ userId, body: input.body }, value)
  if (differences.length > 0) throw unusable(exchanged, differences, baseUrl)
  return { value, problems }
}

/** The error for a response that cannot be printed, or that does not belong to the request. */
function unusable(
  { endpoint, request, response }: Exchanged,
  problems: readonly string[],
  baseUrl: URL,
): ServiceError {
  const message = `invalid response from ${endpoint.method} ${endpoint.path}: ${problems.slice(0, 3).join('; ')}`
  const details = { status: response.status, requestId: requestIdOf(response) }
  if (endpoint.effect !== 'read') return mayBeApplied(new ServiceError('server', message, details))
  const { method, path, body } = request
  const target = path.slice(baseUrl.pathname.replace(/\/+$/, '').length)
  return new ServiceError('server', message, { ...details, request: { method, path: target, body } })
}

/** Reads a complete success response: PNG bytes, JSON, or null if it has no body. Throws if the body cannot be read. */
export function readResponse(endpoint: Endpoint, request: WireRequest, response: WireResponse): unknown {
  if (Object.values(endpoint.replies).includes('png')) return readImage(request, response)
  if (response.body.length === 0) return null
  return readJson(request, response)
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47]

function readImage(request: WireRequest, response: WireResponse): Uint8Array {
  if (pngSignature.every((byte, index) => response.body[index] === byte)) return response.body
  throw unreadable(request, response, 'a body that is not a PNG image')
}

/** Parses the body, and removes the API key from a response that contains the key of its request. */
function readJson(request: WireRequest, response: WireResponse): unknown {
  const text = orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(response.body))
  if (text === undefined) throw unreadable(request, response, 'a body that is not valid UTF-8')
  const secrets = request.secretReply
    ? [request.headers['x-api-key'] ?? ''].filter(Boolean)
    : secretsOf(request)
  // JSON can escape any character of the key. PHP, for example, escapes slashes.
  const mayRepeat = text.includes('\\') || secrets.some((secret) => text.includes(secret))
  try {
    const value = parseJson(text)
    return mayRepeat ? maskExactly(value, secrets) : value
  } catch {
    throw unreadable(request, response, /^\s*</.test(text) ? 'an HTML page' : 'a body that is not JSON')
  }
}

function unreadable(request: WireRequest, response: WireResponse, what: string): ServiceError {
  return new ServiceError('server', `${urlOf(request).host} returned ${response.status} with ${what}`, {
    status: response.status,
    requestId: requestIdOf(response),
    hint: 'Check that the base URL points to the service, not to a web page or proxy.',
  })
}
