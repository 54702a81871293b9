import * as z from 'zod/mini'
import { fieldsOf } from '../base/json.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { definitionOf } from '../contract/lenient.ts'
import type { Service } from './handler.ts'
import { type Problem, problem, Refusal, type ServiceRequest } from './message.ts'
import { decodeEscapes, escapeRuns, toProblem } from './validate.ts'

/** The body as it was sent, its checked values, and all problems in the format of a 422 response. */
export interface Body {
  raw: unknown
  data: unknown
  problems: Problem[]
}

const maximumBodyBytes = 1024 * 1024

/** Reads and checks the body of a request. If the service is strict, an unknown field is a problem. Otherwise, the field is only logged. */
export async function readBody(
  endpoint: Endpoint,
  request: ServiceRequest,
  { revision, isStrict }: Service,
  log: (line: string) => void,
): Promise<Body> {
  const schema = (revision === 'earlier' && endpoint.bodyInEarlierRevision) || endpoint.body
  const raw = decodeExternalId(await readJson(request))
  // Paths of fields that the schema does not contain and the endpoint does not accept as the user ID.
  const ofUser = endpoint.user?.in === 'body' ? ['external_user_id', 'user_id'] : []
  const fields = schema ? findUnknown(schema, raw) : Object.keys(fieldsOf(raw))
  const unknown = fields.filter((name) => !ofUser.includes(name))
  if (!isStrict && unknown.length > 0) log(`${endpoint.path}: ignored unknown fields: ${unknown.join(', ')}`)
  const { data, error } = schema ? z.safeParse(schema, raw, { reportInput: true }) : {}
  const wrong = error?.issues.map((issue) => toProblem(issue, ['body'])) ?? []
  const extra = (isStrict ? unknown : []).map((name) =>
    problem(['body', ...name.split('.')], 'unknown field', 'value_error.extra'),
  )
  return { raw, data, problems: [...wrong, ...extra] }
}

/** Decodes the external user ID in a body, because it can be percent-encoded there (spec 4.1). */
function decodeExternalId(body: unknown): unknown {
  const fields = fieldsOf(body)
  const { external_user_id: id } = fields
  if (typeof id !== 'string') return body
  // Percent escapes that are not valid UTF-8 stay unchanged.
  const decoded = id.replace(escapeRuns, (escapes) => decodeEscapes(escapes) ?? escapes)
  return { ...fields, external_user_id: decoded }
}

function findUnknown(schema: z.core.$ZodType, value: unknown): string[] {
  const def = definitionOf(schema)
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((item, index) => findUnknown(def.element, item).map((name) => `${index}.${name}`))
  if (def.type !== 'object' || Array.isArray(value)) return []
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    return field === undefined ? [name] : findUnknown(field, inner).map((path) => `${name}.${path}`)
  })
}

async function readJson(request: ServiceRequest): Promise<unknown> {
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

async function readBytes({ body }: ServiceRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maximumBodyBytes) throw new Refusal(413, `the body is larger than ${maximumBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
