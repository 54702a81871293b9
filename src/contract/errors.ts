import * as z from 'zod'

/** Every 4xx and 5xx body but 422 (specification, section 7). */
export const detail = z.looseObject({ detail: z.string() })

/** The 422 body; `type` may be missing in the field. */
export const validationDetail = z.looseObject({
  detail: z.array(
    z.looseObject({
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
      type: z.string().optional(),
    }),
  ),
})
