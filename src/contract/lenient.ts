import * as z from 'zod/mini'

type Schema = z.core.$ZodType

/** Schemas with another form that some services return. */
const otherForms = new WeakMap<Schema, Schema>()

declare const otherForm: unique symbol

/** Marks a strict schema with another form that some services return. The client accepts both. */
export function alsoSeen<S extends Schema, Other extends z.core.SomeType>(
  strict: S,
  other: Other,
): S & { [otherForm]: Other } {
  const own = z.clone(strict) as S & { [otherForm]: Other }
  otherForms.set(own, other as unknown as Schema)
  return own
}

const missing = z.nullish(z.null())

/** Marks a required field that some services omit or return as null. The client accepts both. */
export function sometimesMissing<S extends Schema>(strict: S): S & { [otherForm]: typeof missing } {
  return alsoSeen(strict, missing)
}

/**
 * Derives the schema that the client uses for reading from the strict schema of a reply. Unknown fields pass, an optional
 * field may be null, a nullable field may be missing, and the marked other forms are accepted.
 */
export function toLenient(schema: Schema): Schema {
  const relaxed = relax(schema as z.core.$ZodTypes)
  const other = otherForms.get(schema)
  return other ? z.union([relaxed, other]) : relaxed
}

function relax(schema: z.core.$ZodTypes): Schema {
  const { def } = schema._zod
  if (def.type === 'array') return z.array(toLenient(def.element))
  if (def.type === 'nullable' || def.type === 'optional') return z.nullish(toLenient(def.innerType))
  if (def.type !== 'object') return schema
  const fields = Object.entries(def.shape).map(([name, field]) => [name, toLenient(field)])
  return z.looseObject(Object.fromEntries(fields))
}

/** The type of a reply that matches the lenient schema. */
export type LenientOutput<S> = S extends { [otherForm]: infer Other extends z.core.SomeType }
  ? z.output<S & z.core.SomeType> | z.output<Other>
  : S extends z.ZodMiniNullable<infer Inner> | z.ZodMiniOptional<infer Inner>
    ? LenientOutput<Inner> | null | undefined
    : S extends z.ZodMiniArray<infer Element>
      ? LenientOutput<Element>[]
      : S extends z.ZodMiniObject<infer Shape>
        ? LenientObject<{ [Name in keyof Shape]: LenientOutput<Shape[Name]> }>
        : S extends z.core.SomeType
          ? z.output<S>
          : never

/** A field that may be undefined may be missing. */
type LenientObject<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Fields[Name]
} & { [name: string]: unknown }
