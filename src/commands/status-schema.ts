import * as z from 'zod'
import { protections } from '../profiles/profile.ts'
import { environment } from './profiles/schema.ts'

export const status = z.strictObject({
  profile: z.string().nullable(),
  environment,
  base_url: z.string().nullable(),
  protect: z.enum(protections),
  fingerprint: z.string().nullable(),
  settings: z.array(z.strictObject({ name: z.string(), value: z.string().nullish(), source: z.string() })),
  problem: z.string().nullable(),
})
