import * as z from 'zod/mini'
import { fieldsOf } from '../base/json.ts'
import type { UserRule } from '../contract/endpoint.ts'
import type { ServiceRequest } from './message.ts'
import { type Problem, problem, Refusal } from './refusal.ts'

type Schema = z.core.$ZodType

const maximumBodyBytes = 1024 * 1024

/** Checks path parameters. An invalid value is a 400 with one readable text. */
export function checkParams(schema: z.ZodMiniObject | undefined, values: Record<string, string>): unknown {
  if (!schema) return undefined
  const result = z.safeParse(schema, values)
  if (result.success) return result.data
  throw new Refusal(400, result.error.issues.map((issue) => valueMessage(issue, values)).join('; '))
}

/** Checks query values. Query values arrive as text, so digits are converted to a number if the schema expects a number. */
export function checkQuery(schema: z.ZodMiniObject | undefined, query: URLSearchParams): unknown {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (repeated) throw new Refusal(400, `${repeated}: must be sent only once`)
  const fields = new Map(Object.entries(schema?.shape ?? {}))
  const values = [...query].map(([name, text]) => {
    const field = fields.get(name)
    return [name, field && expectsNumber(field) && /^\d+$/.test(text) ? Number(text) : text]
  })
  return checkParams(schema, Object.fromEntries(values))
}

function expectsNumber(field: Schema): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'default') return expectsNumber(def.innerType)
  return def.type === 'number'
}

function valueMessage(issue: z.core.$ZodIssue, values: unknown): string {
  if (issue.message.startsWith('invalid uuid')) return issue.message
  const { msg } = toProblem(issue, values, [])
  return `${issue.path.join('.')}: ${msg}`
}

/** Checks a body and returns all problems in the format of a 422 response. */
export function checkBody(schema: Schema, body: unknown): { data: unknown; problems: Problem[] } {
  const result = z.safeParse(schema, body)
  if (result.success) return { data: result.data, problems: [] }
  const problems = result.error.issues.map((issue) => toProblem(issue, body, ['body']))
  return { data: undefined, problems }
}

/** Paths of body fields that neither the schema nor the user rule contains, such as `data.external_user_id`. */
export function unknownFields(
  schema: Schema | undefined,
  body: unknown,
  rule: UserRule | undefined,
): string[] {
  const known = rule?.in === 'body' ? ['external_user_id', 'user_id'] : []
  const own = schema ? findUnknown(schema, body) : Object.keys(fieldsOf(body))
  return own.filter((name) => !known.includes(name))
}

function findUnknown(schema: Schema, value: unknown): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return findUnknown(def.innerType, value)
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((item, index) => findUnknown(def.element, item).map((name) => `${index}.${name}`))
  if (def.type !== 'object' || Array.isArray(value)) return []
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    return field === undefined ? [name] : findUnknown(field, inner).map((path) => `${name}.${path}`)
  })
}

function toProblem(issue: z.core.$ZodIssue, input: unknown, prefix: string[]): Problem {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  const loc = [...prefix, ...path]
  if (valueAt(input, path) === undefined) return problem(loc, 'field required', 'value_error.missing')
  const kind = issue.code === 'invalid_type' ? `type_error.${issue.expected}` : `value_error.${issue.code}`
  return problem(loc, issue.message.replace(/^Invalid/, 'invalid'), kind)
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    input,
  )
}

/** Reads a JSON body in UTF-8 of at most `maximumBodyBytes`. */
export async function readJson(request: ServiceRequest): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  const bytes = await readBytes(request)
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(422, [problem(['header', 'content-type'], 'must be application/json')])
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(422, [problem(['body'], 'the body is not valid JSON', 'value_error.jsondecode')])
  }
}

export async function readText(request: ServiceRequest): Promise<string> {
  return new TextDecoder().decode(await readBytes(request))
}

async function readBytes({ headers, body }: ServiceRequest): Promise<Uint8Array> {
  const tooLarge = () => new Refusal(413, `the body is larger than ${maximumBodyBytes} bytes`)
  if (Number(headers['content-length']) > maximumBodyBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maximumBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
