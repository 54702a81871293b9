import * as z from 'zod/mini'

/** Either `file` or `base64` is set. */
export const image = z.strictObject({
  content_type: z.literal('image/png'),
  bytes: z.int(),
  file: z.nullable(z.string()),
  base64: z.nullable(z.string()),
})
