import * as z from 'zod/mini'
import { toLenient } from './lenient.ts'

type Schema = z.core.$ZodType

const lenientSchemas = new WeakMap<Schema, Schema>()

export interface ReplyCheck {
  /** One line for each mismatch with the lenient schema. */
  problems: string[]
  /** False if a list or an object has another type, so the reply cannot be shown. */
  isUsable: boolean
}

/** Compares a reply with the lenient form of its strict schema. */
export function checkReply(strict: Schema, value: unknown): ReplyCheck {
  const schema = lenientSchemas.get(strict) ?? toLenient(strict)
  lenientSchemas.set(strict, schema)
  const { error } = z.safeParse(schema, value)
  if (!error) return { problems: [], isUsable: true }
  const problems = error.issues.map(
    ({ path, message }) => `${path.join('.') || 'reply'}: ${shorten(message)}`,
  )
  return { problems, isUsable: hasStructure(schema, value) }
}

function shorten(message: string): string {
  return message.replace('Invalid input: ', '').replace(/^expected .*, received undefined$/, 'missing')
}

/** Whether each required list is a list and each required object an object. A single value of any type can be shown. */
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
