import * as z from 'zod/mini'
import { orUndefined } from '../base/functions.ts'
import { definitionOf } from '../contract/lenient.ts'
import { type Problem, problem, Refusal } from './message.ts'

/** Checks path parameters. Percent escapes that are not valid UTF-8 stay unchanged. */
export function checkParams(schema: z.ZodMiniObject, params: Record<string, string>): unknown {
  const decoded = Object.entries(params).map(([name, text]) => [name, decodeEscapes(text) ?? text])
  return checkValues(schema, Object.fromEntries(decoded))
}

/** Checks query values. They arrive as text, so digits are converted if the schema expects a number. */
export function checkQuery(
  schema: z.ZodMiniObject | undefined,
  { search, searchParams: query }: URL,
): unknown {
  if (search.match(escapeRuns)?.some((escapes) => decodeEscapes(escapes) === undefined))
    throw new Refusal(400, 'the query is not valid UTF-8')
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (repeated) throw new Refusal(400, `${repeated}: must be sent only once`)
  const fields = new Map(Object.entries(schema?.shape ?? {}))
  const values = [...query].map(([name, text]) => {
    const field = fields.get(name)
    const isNumber = field && definitionOf(field).type === 'number'
    return [name, isNumber && /^\d+$/.test(text) ? Number(text) : text]
  })
  return checkValues(schema, Object.fromEntries(values))
}

export const escapeRuns = /(?:%[0-9a-f]{2})+/gi

/** Decodes percent escapes. Undefined if the decoded bytes are not valid UTF-8. */
export function decodeEscapes(escapes: string): string | undefined {
  return orUndefined(() => decodeURIComponent(escapes))
}

/** If a value is invalid, throws a 400 response with one readable text. */
function checkValues(schema: z.ZodMiniObject | undefined, values: Record<string, unknown>): unknown {
  if (!schema) return undefined
  const result = z.safeParse(schema, values, { reportInput: true })
  if (result.success) return result.data
  const messages = result.error.issues.map((issue) => {
    const { loc, msg } = toProblem(issue)
    return msg.startsWith('invalid uuid') ? msg : `${loc.join('.')}: ${msg}`
  })
  throw new Refusal(400, messages.join('; '))
}

/** The description of an issue in the format of a 422 response. The issue must contain the invalid value (`reportInput`). */
export function toProblem(issue: z.core.$ZodIssue, prefix: string[] = []): Problem {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  const loc = [...prefix, ...path]
  if (issue.input === undefined) return problem(loc, 'field required', 'value_error.missing')
  const kind = issue.code === 'invalid_type' ? `type_error.${issue.expected}` : `value_error.${issue.code}`
  return problem(loc, issue.message.replace(/^Invalid/, 'invalid'), kind)
}
