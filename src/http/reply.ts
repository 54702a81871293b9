import { span } from '../base/clock.ts'
import {
  codeForStatus,
  type ErrorDetails,
  type FacescanError,
  NetworkError,
  ServiceError,
} from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { factsOf, meaningOf } from './meaning.ts'
import { maskExactly, maskText, maskValue, secretsOf } from './redact.ts'
import { parseRetryAfter } from './retry-after.ts'
import { urlOf, type WireReply, type WireRequest } from './wire.ts'

const maximumIdLength = 200

export function requestIdOf({ headers }: WireReply): string | undefined {
  return (headers['x-request-id'] ?? headers['x-correlation-id'])?.slice(0, maximumIdLength)
}

/** Reads a complete success reply: PNG bytes, JSON, or null if it has no body. Throws if the body cannot be read. */
export function readReply(endpoint: Endpoint, request: WireRequest, reply: WireReply): unknown {
  if (Object.values(endpoint.replies).includes('png')) return readImage(request, reply)
  if (reply.body.length === 0) return null
  return readJson(request, reply)
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47]

function readImage(request: WireRequest, reply: WireReply): Uint8Array {
  if (pngSignature.every((byte, index) => reply.body[index] === byte)) return reply.body
  throw unreadable(request, reply, 'a body that is not a PNG image')
}

function readJson(request: WireRequest, reply: WireReply): unknown {
  const text = orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(reply.body))
  if (text === undefined) throw unreadable(request, reply, 'a body that is not valid UTF-8')
  try {
    return withoutCredential(parseJson(text), text, request)
  } catch {
    throw unreadable(request, reply, /^\s*</.test(text) ? 'an HTML page' : 'a body that is not JSON')
  }
}

/** A reply that repeats the key of its request must not print it. */
function withoutCredential(value: unknown, text: string, request: WireRequest): unknown {
  const secrets = request.secretReply
    ? [request.headers['x-api-key'] ?? ''].filter(Boolean)
    : secretsOf(request)
  // JSON can escape any character of the key, such as the slash in PHP.
  const mayRepeat = text.includes('\\') || secrets.some((secret) => text.includes(secret))
  return mayRepeat ? maskExactly(value, secrets) : value
}

function unreadable(request: WireRequest, reply: WireReply, what: string): ServiceError {
  return new ServiceError('server', `${urlOf(request).host} returned ${reply.status} with ${what}`, {
    status: reply.status,
    requestId: requestIdOf(reply),
    hint: 'Check that the base URL points to the service, not to a web page or proxy.',
  })
}

/** The error of a reply, with the service's message; undefined for a success. */
export function errorOf(request: WireRequest, reply: WireReply, now: number): FacescanError | undefined {
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  const shared = { status, requestId: requestIdOf(reply) }
  const { applied, isTransient } = meaningOf(factsOf(reply))
  if (status < 400) {
    return new NetworkError(
      `${urlOf(request).host} returned a redirect (${status}); redirects are not followed`,
      false,
      {
        ...shared,
        applied,
        retryable: isTransient,
        hint: 'A redirect could send the key to another host. Check the base URL.',
      },
    )
  }
  const details: ErrorDetails = { ...shared, applied, retryable: isTransient }
  const retryAfterMs = parseRetryAfter(reply.headers, now)
  if (retryAfterMs !== undefined) details.retryAfter = Math.ceil(retryAfterMs / 1000)
  if (isTransient && details.retryAfter) details.hint = `Try again in ${span(details.retryAfter)}.`
  const { message, ...described } = describe(reply, secretsOf(request))
  return new ServiceError(codeForStatus(status), message, { ...details, ...described })
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'the service rejected the request',
  401: 'the service rejected the API key or action token',
  403: 'the API key or action token does not have permission for this request',
  404: 'not found',
  413: 'the request is too large',
  422: 'the service rejected some fields',
  429: 'too many requests',
  500: 'the service had an internal error',
  502: 'the gateway could not reach the service',
  503: 'the service is unavailable',
  504: 'gateway timeout: the service did not respond in time',
}

const maximumLines = 50
const maximumLineLength = 500
/** Longer lines are cut first, because the search for secrets would take too long. */
const maximumInputLength = 16_384

type Described = { message: string } & Pick<ErrorDetails, 'detail' | 'problems'>

function describe(reply: WireReply, secrets: readonly string[]): Described {
  const general = statusTexts[reply.status] ?? statusTexts[reply.status < 500 ? 400 : 500]
  const lines = detailLines(reply).map((line) =>
    collapse(maskText(line.slice(0, maximumInputLength), secrets)).slice(0, maximumLineLength),
  )
  const heading = `${general} (${reply.status})`
  const [detail] = lines
  if (detail === undefined) return { message: heading }
  if (lines.length === 1) return { message: `${heading}: ${detail}`, detail }
  const shown = lines.slice(0, maximumLines)
  if (lines.length > maximumLines) shown.push(`and ${lines.length - maximumLines} more`)
  return {
    message: `${heading}:\n${shown.map((line) => `  ${line}`).join('\n')}`,
    detail: shown.join('; '),
    problems: lines.map((message) => ({ message })),
  }
}

/** Removes line breaks, because a second line could look like a message of facescan. */
function collapse(text: string): string {
  return text.replace(/[\t\n\v\f\r\x85\u2028\u2029]+/g, ' ').trim()
}

/** The service's message: `detail`, all 422 items as `loc.loc: msg`, other JSON unchanged, or the start of a plain or HTML body. */
export function detailLines(reply: WireReply): string[] {
  const text = Buffer.from(reply.body).toString('utf8').trim()
  const body = orUndefined(() => parseJson(text))
  if (typeof body === 'object' && body !== null) {
    const { detail }: { detail?: unknown } = body
    if (typeof detail === 'string') return [detail]
    if (Array.isArray(detail)) return detail.map(readItem)
    return Object.keys(body).length === 0 ? [] : [toJsonText(maskValue(detail ?? body, []))]
  }
  if (text === '' || /^[{[]/.test(text)) return []
  if (text.startsWith('<')) {
    const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1]?.trim()
    return title ? [title] : []
  }
  return [text.split('\n')[0] ?? '']
}

function readItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const where = 'loc' in item && Array.isArray(item.loc) ? item.loc.join('.') : ''
  const what = 'msg' in item ? String(item.msg) : 'not accepted'
  return where === '' ? what : `${where}: ${what}`
}
