import * as z from 'zod/mini'
import type { Unchanged } from '../base/json.ts'

/** Effects on stored data. The production guard and the dry run use the same values. */
const effect = z.enum(['read', 'change', 'destroy'])
const words = z.array(z.string())

const argument = z.strictObject({
  name: z.string(),
  summary: z.string(),
  choices: z.optional(words),
  required: z.boolean(),
  many: z.boolean(),
})

const flag = z.strictObject({
  /** Name with dashes: `--sex`. */
  long: z.string(),
  short: z.optional(z.string()),
  summary: z.string(),
  /** Text in parentheses after the summary: `default: detected`. */
  remark: z.optional(z.string()),
  /** The value of the flag. Undefined if the flag has no value. */
  value: z.optional(z.strictObject({ name: z.string(), optional: z.boolean() })),
  choices: z.optional(words),
  required: z.boolean(),
  many: z.boolean(),
  /** Default value as it is written on the command line. */
  default: z.optional(z.string()),
})

const command = z.strictObject({
  command: z.string(),
  summary: z.string(),
  description: z.nullable(z.string()),
  effect,
  local_effect: effect,
  /** Accepted credentials. Empty if the command sends nothing to the service. */
  credentials: z.array(z.enum(['key', 'token'])),
  user: z.nullable(z.enum(['either', 'external', 'new', 'token'])),
  arguments: z.array(argument),
  flags: z.array(flag),
  examples: words,
  output: z.looseObject({}),
  exit_codes: z.array(z.int()),
})

/** A machine-readable description of the program: commands, inputs, results, and effects on stored data. */
export const programDescription = z.strictObject({
  /** Increased by each incompatible change. */
  schema_version: z.literal(1),
  version: z.string(),
  exit_codes: z.array(z.strictObject({ exit_code: z.int(), code: z.string(), meaning: z.string() })),
  global_flags: z.array(flag),
  commands: z.array(command),
})

export type ArgumentFacts = Unchanged<z.infer<typeof argument>>
export type FlagFacts = Unchanged<z.infer<typeof flag>>
export type CommandSchema = Unchanged<z.infer<typeof command>>
export type ProgramSchema = Unchanged<z.infer<typeof programDescription>>
