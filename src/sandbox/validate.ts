import type * as z from 'zod'
import { type Problem, problem, Refusal } from './refusal.ts'

/** Largest request body, in bytes. */
const maximumBodyBytes = 1024 * 1024

/** Checks path or query values; what is wrong with them is a 400 with one readable text. */
export function checkValues(schema: z.ZodType | undefined, values: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(values)
  if (result.success) return result.data
  throw new Refusal(400, result.error.issues.map((issue) => valueMessage(issue, values)).join('; '))
}

function valueMessage(issue: z.core.$ZodIssue, values: unknown): string {
  if (issue.message.startsWith('invalid uuid')) return issue.message
  const { msg } = toProblem(issue, values, [])
  return `${issue.path.join('.')}: ${msg}`
}

/** Checks a body and lists everything that is wrong with it in the form of a 422. */
export function checkBody(schema: z.ZodType, body: unknown): { data: unknown; problems: Problem[] } {
  const result = schema.safeParse(body)
  if (result.success) return { data: result.data, problems: [] }
  const problems = result.error.issues.map((issue) => toProblem(issue, body, ['body']))
  return { data: undefined, problems }
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

/** Reads a JSON body, at most `maximumBodyBytes` of it. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(request)
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(422, [problem(['header', 'content-type'], 'must be application/json')])
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(422, [problem(['body'], 'the body is not valid JSON', 'value_error.jsondecode')])
  }
}

async function readText(request: Request): Promise<string> {
  const tooLarge = new Refusal(413, `the body is larger than ${maximumBodyBytes} bytes`)
  if (Number(request.headers.get('content-length')) > maximumBodyBytes) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of wholeBody(request)) {
    size += chunk.byteLength
    if (size > maximumBodyBytes) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A caller that goes away while it sends is no error of the sandbox. */
async function* wholeBody(request: Request): AsyncIterable<Uint8Array> {
  try {
    yield* request.body ?? []
  } catch {
    throw new Refusal(400, 'the body did not come whole')
  }
}
