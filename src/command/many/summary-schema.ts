import * as z from 'zod'

export const listSummary = z.strictObject({
  users: z.int(),
  done: z.int(),
  failed: z.int(),
  not_tried: z.int(),
  file: z.string().nullable(),
  errors_file: z.string().nullable(),
})
