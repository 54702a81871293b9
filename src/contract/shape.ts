import * as z from 'zod'
import type { Shape } from './accepts.ts'

const known: ReadonlySet<string> = new Set([
  ...['type', 'anyOf', 'enum', 'const', 'pattern', 'format', 'minLength', 'minimum', 'maximum', 'items'],
  ...[
    'prefixItems',
    'minItems',
    'maxItems',
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
  ],
])

/** A schema as the plain data that `accepts` goes by. Throws for one that data cannot say all of. */
export function shapeOf(schema: z.ZodType): Shape {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io: 'output',
    override({ zodSchema, jsonSchema }) {
      const hidden = zodSchema._zod.def.checks?.some((check) => check._zod.def.check === 'custom')
      const unknown = Object.keys(jsonSchema).find((keyword) => keyword !== '$schema' && !known.has(keyword))
      if (hidden) throw new Error('a check that is a function cannot be written down as a shape')
      if (unknown || (jsonSchema.format && !jsonSchema.pattern))
        throw new Error(`${unknown ?? jsonSchema.format} is not known to accepts()`)
    },
  })
  return shape as Shape
}
