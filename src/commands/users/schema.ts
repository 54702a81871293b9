import * as z from 'zod/mini'

export const deletedUser = z.strictObject({ user_id: z.string(), deleted: z.literal(true) })
