import * as z from 'zod/mini'

type Schema = z.core.$ZodType

const lenientForms = new WeakMap<Schema, Schema>()

declare const lenientForm: unique symbol

/** Marks a strict schema with the schema that the client uses for reading, because services differ. */
export function readAs<S extends Schema, Lenient extends z.core.SomeType>(
  strict: S,
  lenient: Lenient,
): S & { [lenientForm]: Lenient } {
  const own = z.clone(strict) as S & { [lenientForm]: Lenient }
  lenientForms.set(own, lenient as unknown as Schema)
  return own
}

/** Marks a strict schema with another form that some services return. The client accepts both. */
export function alsoSeen<S extends z.core.SomeType & Schema, Other extends z.core.SomeType>(
  strict: S,
  other: Other,
): S & { [lenientForm]: z.ZodMiniUnion<[S, Other]> } {
  return readAs(strict, z.union([toLenient(strict) as S, other]))
}

const missing = z.nullish(z.null())

/** Marks a required field that some services omit or return as null. The client accepts both. */
export const sometimesMissing = <S extends z.core.SomeType & Schema>(strict: S) => alsoSeen(strict, missing)

/**
 * Derives the schema that the client uses for reading from the strict schema of a reply. Unknown fields pass, an optional
 * field may be null, a nullable field may be missing, and marked schemas are replaced.
 */
export function toLenient(schema: Schema): Schema {
  return lenientForms.get(schema) ?? relax(schema as z.core.$ZodTypes)
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

/** A field that may be undefined may be missing. */
type LenientObject<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Fields[Name]
} & { [name: string]: unknown }
