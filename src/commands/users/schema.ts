import * as z from 'zod'

export const deletedUser = z.strictObject({ user_id: z.string(), deleted: z.literal(true) })
