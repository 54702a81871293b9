import * as z from 'zod/mini'

export const listSummary = z.strictObject({
  users: z.int(),
  done: z.int(),
  failed: z.int(),
  not_tried: z.int(),
  file: z.nullable(z.string()),
  errors_file: z.nullable(z.string()),
})
