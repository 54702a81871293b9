import * as z from 'zod/mini'
import type { Unchanged } from '../base/json.ts'

const row = z.tuple([z.string(), z.string()])

/** A section of a help page. Its optional parts are shown in this order. */
const section = z.strictObject({
  heading: z.optional(z.string()),
  text: z.optional(z.string()),
  examples: z.optional(z.array(z.string())),
  rows: z.optional(z.array(row)),
  /** Whether the terms of the rows are titles instead of words to type. */
  titled: z.optional(z.boolean()),
})

/** A help page, which is shown on a terminal, as a man page, or as JSON. Words in backquotes are typed literally. */
export const helpPage = z.strictObject({
  /** The name of the command or topic, such as `facescan users create`. */
  name: z.string(),
  summary: z.string(),
  sections: z.array(section),
})

export type HelpRow = Readonly<z.infer<typeof row>>
export type HelpSection = Unchanged<z.infer<typeof section>>
export type HelpPage = Unchanged<z.infer<typeof helpPage>>
