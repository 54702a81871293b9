import * as z from 'zod/mini'
import { protections } from '../profiles/profile.ts'
import { environment } from './profiles/schema.ts'

export const status = z.strictObject({
  profile: z.nullable(z.string()),
  environment,
  base_url: z.nullable(z.string()),
  protect: z.enum(protections),
  fingerprint: z.nullable(z.string()),
  settings: z.array(z.strictObject({ name: z.string(), value: z.nullish(z.string()), source: z.string() })),
  problem: z.nullable(z.string()),
})
