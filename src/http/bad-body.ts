import type * as z from 'zod/mini'
import { ServiceError } from '../base/errors.ts'
import { toLenient } from '../contract/lenient.ts'
import type { Call } from './chain.ts'
import { maybeDone, meaningOf } from './meaning.ts'
import { BadBody, type Content, requestIdOf, urlOf, type WireResponse } from './wire.ts'

/** The content of a response that does not match its schema. Throws if the content cannot be used. */
export function acceptMismatch(
  { status }: WireResponse,
  schema: z.core.$ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): Content {
  // Some services return 204 for an empty list. A change never gets here without a body, because `requireConfirmation` refuses such a
  // response.
  const empty = status === 204 ? emptyList(schema) : undefined
  if (empty !== undefined)
    return { value: empty, problems: ['expected a list, received status 204 without a body'], isClear: true }
  const { problems, isUsable } = describeMismatch(schema, value, issues)
  if (!isUsable) throw BadBody.mismatch(problems)
  return { value, problems }
}

/** The error for a success response that cannot be used. A change may have been applied. */
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
  const { applied, isTransient: retryable } = meaningOf({ status, body: 'unconfirmed' })
  if (!isRead)
    return new ServiceError('server', text, {
      ...shared,
      applied,
      retryable,
      hint: [maybeDone, check ?? []].flat(),
    })
  const { method, path, body } = request
  const target = { method, path: path.slice(baseUrl.pathname.replace(/\/+$/, '').length), body }
  return new ServiceError('server', text, { ...shared, hint: check, request: target })
}

type Schema = z.core.$ZodType

interface Mismatch {
  problems: string[]
  /** Whether the response can be printed although it differs from the contract (see `hasStructure`). */
  isUsable: boolean
}

/** Describes how a response differs from the contract. Unknown fields are allowed. */
export function describeMismatch(
  strict: Schema,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): Mismatch {
  const problems = issues.map(({ path, message }) => {
    const text = message
      .replace('Invalid input: ', '')
      .replace(/^expected .*, received undefined$/, 'missing')
    return `${path.join('.') || 'response'}: ${text}`
  })
  return { problems, isUsable: hasStructure(toLenient(strict), value) }
}

/**
 * Whether the response has a list wherever the schema requires a list, and an object wherever it requires an object. The type of a field
 * with a single value is not checked, because any single value can be printed.
 */
function hasStructure(schema: Schema, value: unknown): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array')
    return Array.isArray(value) && value.every((item) => hasStructure(def.element, item))
  if (def.type !== 'object') return def.type !== 'string' || typeof value === 'string'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map(Object.entries(value))
  return Object.entries(def.shape).every(
    ([name, field]) => !hasParts(field) || hasStructure(field, fields.get(name)),
  )
}

function hasParts({ _zod: { def } }: Schema): boolean {
  return def.type === 'object' || def.type === 'array'
}

/** An empty list in the form of the schema: a list, or an object that contains a list. Undefined if the schema has another form. */
export function emptyList(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const hasList =
    def.type === 'object' && Object.values(def.shape).some(({ _zod }) => _zod.def.type === 'array')
  return def.type === 'array' || hasList ? emptyValue(schema) : undefined
}

function emptyValue(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return []
  if (def.type === 'number') return 0
  if (def.type === 'nullable') return null
  if (def.type !== 'object') return undefined
  const fields = Object.entries(def.shape).map(([name, field]) => [name, emptyValue(field)] as const)
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
}
