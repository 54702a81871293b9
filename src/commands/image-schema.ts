import * as z from 'zod/mini'

/** The image is in `file` or in `base64`. */
export const image = z.strictObject({
  content_type: z.literal('image/png'),
  bytes: z.int(),
  file: z.nullable(z.string()),
  base64: z.nullable(z.string()),
})
