import * as z from 'zod/mini'
import { protections, stores } from '../../profiles/profile.ts'

export const environment = z.enum(['sandbox', 'development', 'production'])

export const profile = z.strictObject({
  name: z.string(),
  environment,
  default: z.boolean(),
  base_url: z.nullable(z.string()),
  store: z.nullable(z.enum(stores)),
  stored_in: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  protect: z.enum(protections),
  reference: z.boolean(),
  unlocked_until: z.nullable(z.string()),
})

export const profiles = z.array(profile)

export const removedProfile = z.strictObject({ name: z.string(), removed: z.literal(true) })
