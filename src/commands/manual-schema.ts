import * as z from 'zod'

const effect = z.enum(['read', 'change', 'destroy'])

const flag = z.strictObject({
  long: z.string(),
  short: z.string().optional(),
  summary: z.string(),
  value: z.strictObject({ name: z.string(), optional: z.boolean() }).optional(),
  choices: z.array(z.string()).optional(),
  required: z.boolean(),
  many: z.boolean(),
  default: z.string().optional(),
})

const argument = z.strictObject({
  name: z.string(),
  summary: z.string(),
  choices: z.array(z.string()).optional(),
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
      description: z.string().nullable(),
      effect,
      local_effect: effect,
      credentials: z.array(z.enum(['key', 'token'])),
      user: z.enum(['either', 'external', 'new', 'token']).nullable(),
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
      heading: z.string().optional(),
      text: z.string().optional(),
      examples: z.array(z.string()).optional(),
      rows: z.array(z.tuple([z.string(), z.string()])).optional(),
      titled: z.boolean().optional(),
    }),
  ),
})
