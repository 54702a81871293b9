import * as z from 'zod/mini'

/** Body of every 4xx and 5xx reply except 422 (spec 7). */
export const detail = z.object({ detail: z.string() })

/** Body of a 422 reply (spec 7). */
export const validationDetail = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
})
