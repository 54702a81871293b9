import * as z from 'zod/mini'

export const deletedUser = z.strictObject({ user_id: z.string(), deleted: z.literal(true) })

export const importedUsers = z.strictObject({
  users: z.int(),
  done: z.int(),
  failed: z.int(),
  not_tried: z.int(),
  file: z.nullable(z.string()),
  errors_file: z.nullable(z.string()),
})
