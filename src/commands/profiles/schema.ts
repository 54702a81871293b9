import * as z from 'zod'
import { protections, stores } from '../../profiles/profile.ts'

export const environment = z.enum(['sandbox', 'development', 'production'])

export const profile = z.strictObject({
  name: z.string(),
  environment,
  default: z.boolean(),
  base_url: z.string().nullable(),
  store: z.enum(stores).nullable(),
  stored_in: z.string().nullable(),
  fingerprint: z.string().nullable(),
  protect: z.enum(protections),
  reference: z.boolean(),
  unlocked_until: z.string().nullable(),
})

export const profiles = z.array(profile)

export const removedProfile = z.strictObject({ name: z.string(), removed: z.literal(true) })
