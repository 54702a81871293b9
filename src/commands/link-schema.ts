import * as z from 'zod/mini'
import { replySchema } from '../contract/reply-schema.ts'

const expires_at = z.optional(z.string())
const link = z.strictObject({ url: z.string(), expires_at })
export const delivered = z.strictObject({
  delivered: z.array(z.string()),
  expires_at: z.nullable(z.string()),
})

export const tokenOutput = z.union([z.strictObject({ token: z.string(), expires_at }), delivered])
export const linkOutput = z.union([link, delivered])
/** The output of scan-url. With --wait, it contains the new scan. */
export const scanLinkOutput = z.union([link, delivered, replySchema('biomarkers.latest')])
