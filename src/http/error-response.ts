import { span } from '../base/clock.ts'
import {
  codeForStatus,
  type ErrorDetails,
  type FacescanError,
  NetworkError,
  ServiceError,
} from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf, parseJson, toJsonText } from '../base/json.ts'
import { maskText, maskValue } from '../base/mask.ts'
import { factsOf, meaningOf, parseRetryAfter } from './meaning.ts'
import { requestIdOf, secretsOf, urlOf, type WireRequest, type WireResponse } from './wire.ts'

/** The error for a response, with the service's error text. Undefined for a success. */
export function errorOf(
  request: WireRequest,
  response: WireResponse,
  now: number,
): FacescanError | undefined {
  const { status } = response
  if (status >= 200 && status < 300) return undefined
  const shared = { status, requestId: requestIdOf(response) }
  const { applied, isTransient } = meaningOf(factsOf(response))
  if (status < 400) {
    return new NetworkError(
      `${urlOf(request).host} returned a redirect (${status})${targetOf(request, response)}; redirects are not followed`,
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
  const retryAfterMs = parseRetryAfter(response.headers, now)
  if (retryAfterMs !== undefined) details.retryAfter = Math.ceil(retryAfterMs / 1000)
  if (isTransient && details.retryAfter) details.hint = `Try again in ${span(details.retryAfter)}.`
  // If the user is unknown, the response contains `detail` (spec 7). A 404 response that does not contain `detail` means that the base URL
  // is wrong.
  const hasDetail = (fieldsOf(parseBody(response).json)['detail'] ?? undefined) !== undefined
  if (status === 404 && !hasDetail) details.missing = 'address'
  const { message, ...described } = describe(response, request)
  return new ServiceError(codeForStatus(status), message, { ...details, ...described })
}

/** After `user`, only an ID is accepted: a quoted text or a word with a digit. `user language not found` has no ID. */
const missingUser =
  /(^|: )(the )?user( "[^"]+"| '[^']+'| \S*\d\S*)? (was |is |could |does |do |did )?not (be )?(found|exist)/i

/**
 * Whether a response states that the user does not exist. The specification does not define the status, so 400, 410, and 422 count if their
 * text states it.
 */
export function statesMissingUser(status: number | undefined, detail: string | undefined): boolean {
  return [400, 410, 422].includes(status ?? 0) && missingUser.test(detail ?? '')
}

/** The target of a redirect, without its query. The query can contain an ID or a token. */
function targetOf(request: WireRequest, { headers: { location } }: WireResponse): string {
  const url = location === undefined ? undefined : orUndefined(() => new URL(location, urlOf(request)))
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb ? ` to ${maskText(url.origin + url.pathname, secretsOf(request))}` : ''
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
/** Maximum length of an error text. The search for secrets would take too long in a longer text. */
const maximumInputLength = 16_384

type Described = { message: string } & Pick<ErrorDetails, 'detail' | 'problems'>

function describe(response: WireResponse, request: WireRequest): Described {
  const secrets = secretsOf(request)
  const text = statusTexts[response.status] ?? statusTexts[response.status < 500 ? 400 : 500]
  const credential = 'authorization' in request.headers ? 'action token' : 'API key'
  const general = text?.replace('API key or action token', credential)
  const lines = detailLines(response, secrets).map((line) => {
    const masked = maskText(line.slice(0, maximumInputLength), secrets)
    // A second line could imitate a message from facescan.
    const collapsed = masked.replace(/[\t\n\v\f\r\x85\u2028\u2029]+/g, ' ').trim()
    return collapsed.slice(0, maximumLineLength)
  })
  const heading = `${general} (${response.status})`
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

/** The body as text and, if it is JSON, its value. `trim` also removes a byte order mark. */
function parseBody({ body }: WireResponse): { text: string; json: unknown } {
  const text = Buffer.from(body).toString('utf8').trim()
  return { text, json: orUndefined(() => parseJson(text)) }
}

/**
 * The service's error text as lines: `detail`; for a 422, all items as `loc.loc: msg`; for other JSON, the unchanged JSON; for text or
 * HTML, the start of the body.
 */
export function detailLines(response: WireResponse, secrets: readonly string[] = []): string[] {
  const { text, json: body } = parseBody(response)
  if (typeof body === 'object' && body !== null) {
    const { detail }: { detail?: unknown } = body
    if (typeof detail === 'string') return [detail]
    if (Array.isArray(detail)) return detail.map(readItem)
    return Object.keys(body).length === 0 ? [] : [toJsonText(maskValue(detail ?? body, secrets))]
  }
  if (text === '' || /^[{[]/.test(text)) return []
  if (text.startsWith('<')) {
    const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1]?.trim()
    return title ? [title] : []
  }
  // A secret may contain a line break, so it is masked before the text is split into lines.
  return [maskText(text.slice(0, maximumInputLength), secrets).split('\n')[0] ?? '']
}

function readItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const where = 'loc' in item && Array.isArray(item.loc) ? item.loc.join('.') : ''
  const what = 'msg' in item ? String(item.msg) : 'not accepted'
  return where === '' ? what : `${where}: ${what}`
}
