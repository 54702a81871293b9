import * as z from 'zod'

/** The image is in `file` or in `base64`. */
export const image = z.strictObject({
  content_type: z.literal('image/png'),
  bytes: z.int(),
  file: z.string().nullable(),
  base64: z.string().nullable(),
})
