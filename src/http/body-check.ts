import { orUndefined } from '../base/functions.ts'
import { parseJson } from '../base/json.ts'
import { maskExactly, maskForms } from '../base/mask.ts'
import { type Endpoint, png } from '../contract/endpoint.ts'
import { findIssues } from '../contract/lenient.ts'
import type { Call, Step } from './chain.ts'
import { meaningOf } from './meaning.ts'
import type { AnyInput } from './request.ts'
import { BadBody, type Content, secretsOf, type WireRequest, type WireResponse } from './wire.ts'

/** Reads the body of a response, and compares it with the contract and, for a change, with the request. */
export function checkBody(baseUrl: URL): Step {
  return async (call, next) => {
    const response = await next(call)
    try {
      // The content is added to `response` itself, because copying each response would slow down lists and imports.
      response.content = await readContent(call, response)
      return response
    } catch (error) {
      if (!(error instanceof BadBody)) throw error
      const { explainBadBody } = await import('./bad-body.ts')
      throw explainBadBody(error, call, response, baseUrl)
    }
  }
}

async function readContent({ endpoint, request, input }: Call, response: WireResponse): Promise<Content> {
  const isRead = endpoint.effect === 'read'
  const value = readBody(endpoint, request, response)
  if (!isRead) requireConfirmation(endpoint, response)
  const { status } = response
  const { replies } = endpoint
  // If the status is not in the contract, the schema of the first status in the contract is used.
  const schema = status in replies ? replies[status] : Object.values(replies)[0]
  if (input.route !== undefined || schema === undefined || schema === png) return { value, problems: [] }
  if (schema === null)
    return { value, problems: value === null ? [] : [`expected no body with status ${status}`] }
  const issues = findIssues(schema, value)
  const content =
    issues.length === 0
      ? { value, problems: [] }
      : (await import('./bad-body.ts')).acceptMismatch(response, schema, value, issues)
  if (!isRead) await requireEcho(input, content.value)
  return content
}

/** Throws if the response does not confirm the change, such as an empty response of a proxy. */
function requireConfirmation({ replies }: Endpoint, { status, body }: WireResponse): void {
  if (meaningOf({ status }).applied !== 'yes')
    throw new BadBody('unconfirmed', ', which does not confirm the change')
  const returnsData = Object.values(replies).some((schema) => schema !== null)
  if (returnsData && body.length === 0) throw new BadBody('unconfirmed', ' without a body')
  // Without data, only the status confirms a deletion. A proxy can return an empty 200.
  if (!returnsData && !(status in replies) && Object.keys(replies).length > 0)
    throw new BadBody('unconfirmed', ', which does not confirm the change')
}

/** Throws if the response belongs to another user, or if its values differ from the request. */
async function requireEcho({ params, user, body }: AnyInput, value: unknown): Promise<void> {
  const { findUnconfirmed } = await import('../contract/echo.ts')
  const userId = params?.['user_id'] ?? user?.['user_id']
  const differences = findUnconfirmed({ userId, body }, value)
  if (differences.length > 0) throw BadBody.mismatch(differences)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a complete body: PNG bytes, JSON, or null if it is empty. Masks the API key in the body. */
function readBody(endpoint: Endpoint, request: WireRequest, { body }: WireResponse): unknown {
  if (endpoint.replies[200] === png) return readImage(body)
  if (body.length === 0) return null
  const text = orUndefined(() => utf8.decode(body))
  if (text === undefined) throw new BadBody('unreadable', ' with a body that is not valid UTF-8')
  const value = orUndefined(() => parseJson(text))
  if (value === undefined) {
    const isPage = /^\s*</.test(text)
    throw new BadBody('unreadable', isPage ? ' with an HTML page' : ' with a body that is not JSON')
  }
  const secrets = request.secretReply
    ? [request.headers['x-api-key'] ?? ''].filter(Boolean)
    : secretsOf(request)
  // The parsed value is masked instead of the JSON text, because JSON can contain the key in an escaped form. For example, PHP escapes
  // slashes.
  return text.includes('\\') || maskForms(text, secrets) !== text ? maskExactly(value, secrets) : value
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47]

function readImage(body: Uint8Array): Uint8Array {
  if (pngSignature.every((byte, index) => body[index] === byte)) return body
  throw new BadBody('unreadable', ' with a body that is not a PNG image')
}
