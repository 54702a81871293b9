import * as z from 'zod/mini'

type Schema = z.core.$ZodType

const lenientForms = new WeakMap<Schema, Schema>()

declare const lenientForm: unique symbol

/** Attaches the schema for responses to a strict schema, because services differ from the specification. */
export function readAs<S extends Schema, Lenient extends z.core.SomeType>(
  strict: S,
  lenient: Lenient,
): S & { [lenientForm]: Lenient } {
  const own = z.clone(strict) as S & { [lenientForm]: Lenient }
  lenientForms.set(own, lenient as unknown as Schema)
  return own
}

/** Adds a lenient schema to a schema. The lenient schema also accepts `other`: some services return the value in this form. */
export function alsoSeen<S extends z.core.SomeType & Schema, Other extends z.core.SomeType>(
  strict: S,
  other: Other,
): S & { [lenientForm]: z.ZodMiniUnion<[S, Other]> } {
  return readAs(strict, z.union([toLenient(strict) as S, other]))
}

const missing = z.nullish(z.null())

/** Marks a required field that some services omit or return as null. */
export const sometimesMissing = <S extends z.core.SomeType & Schema>(strict: S) => alsoSeen(strict, missing)

/**
 * The schema for responses. Without a schema from `readAs`, responses can have unknown fields, null for optional fields, and missing
 * nullable fields.
 */
export function toLenient(schema: Schema): Schema {
  const lenient = lenientForms.get(schema) ?? relax(schema as z.core.$ZodTypes)
  lenientForms.set(schema, lenient)
  return lenient
}

/** The definition of a schema without `optional`, `nullable`, and `default` around it. */
export function definitionOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const isWrapped = def.type === 'optional' || def.type === 'nullable' || def.type === 'default'
  return isWrapped ? definitionOf(def.innerType) : def
}

function relax(schema: z.core.$ZodTypes): Schema {
  const { def } = schema._zod
  if (def.type === 'array') return z.array(toLenient(def.element))
  if (def.type === 'nullable' || def.type === 'optional') return z.nullish(toLenient(def.innerType))
  if (def.type !== 'object') return schema
  const fields = Object.entries(def.shape).map(([name, field]) => [name, toLenient(field)])
  return z.looseObject(Object.fromEntries(fields))
}

/** Compares a response with the lenient form of the schema `strict`, and returns the differences. */
export function findIssues(strict: Schema, value: unknown): readonly z.core.$ZodIssue[] {
  return z.safeParse(toLenient(strict), value).error?.issues ?? []
}

export type LenientOutput<S> = S extends { [lenientForm]: infer Lenient extends z.core.SomeType }
  ? z.output<Lenient>
  : S extends z.ZodMiniNullable<infer Inner> | z.ZodMiniOptional<infer Inner>
    ? LenientOutput<Inner> | null | undefined
    : S extends z.ZodMiniArray<infer Element>
      ? LenientOutput<Element>[]
      : S extends z.ZodMiniObject<infer Shape>
        ? LenientObject<{ [Name in keyof Shape]: LenientOutput<Shape[Name]> }>
        : S extends z.core.SomeType
          ? z.output<S>
          : never

/** A field is optional if its value can be undefined. */
type LenientObject<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Fields[Name]
} & { [name: string]: unknown }
