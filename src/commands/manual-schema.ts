import * as z from 'zod/mini'

const effect = z.enum(['read', 'change', 'destroy'])

const flag = z.strictObject({
  long: z.string(),
  short: z.optional(z.string()),
  summary: z.string(),
  value: z.optional(z.strictObject({ name: z.string(), optional: z.boolean() })),
  choices: z.optional(z.array(z.string())),
  required: z.boolean(),
  many: z.boolean(),
  default: z.optional(z.string()),
})

const argument = z.strictObject({
  name: z.string(),
  summary: z.string(),
  choices: z.optional(z.array(z.string())),
  required: z.boolean(),
  many: z.boolean(),
})

export const programDescription = z.strictObject({
  schema_version: z.literal(1),
  version: z.string(),
  exit_codes: z.array(z.strictObject({ exit_code: z.int(), code: z.string(), meaning: z.string() })),
  global_flags: z.array(flag),
  commands: z.array(
    z.strictObject({
      command: z.string(),
      summary: z.string(),
      description: z.nullable(z.string()),
      effect,
      local_effect: effect,
      credentials: z.array(z.enum(['key', 'token'])),
      user: z.nullable(z.enum(['either', 'external', 'new', 'token'])),
      arguments: z.array(argument),
      flags: z.array(flag),
      examples: z.array(z.string()),
      output: z.looseObject({}),
      exit_codes: z.array(z.int()),
    }),
  ),
})

export const completionScript = z.string()

export const helpPage = z.strictObject({
  name: z.string(),
  summary: z.string(),
  sections: z.array(
    z.strictObject({
      heading: z.optional(z.string()),
      text: z.optional(z.string()),
      examples: z.optional(z.array(z.string())),
      rows: z.optional(z.array(z.tuple([z.string(), z.string()]))),
      titled: z.optional(z.boolean()),
    }),
  ),
})
