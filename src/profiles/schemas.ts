import * as z from 'zod/mini'
import { serviceEnvironments, storeNames } from './profile.ts'
import { protections, shownSchemas } from './settings.ts'

export const profile = z.strictObject({
  name: z.string(),
  environment: z.enum(serviceEnvironments),
  default: z.boolean(),
  base_url: z.nullable(z.string()),
  store: z.nullable(z.enum(storeNames)),
  /** The path of the key file, or the name of the store. */
  stored_in: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  protect: z.enum(protections),
  /** End of the unlock as RFC 3339. Null if the profile is not unlocked. */
  unlocked_until: z.nullable(z.string()),
  ...shownSchemas,
  /** Whether reference values are shown. Always true for the sandbox, because the sandbox returns the same reference values. */
  reference: z.boolean(),
})

export const profiles = z.array(profile)

const setting = z.strictObject({ name: z.string(), value: z.nullable(z.string()), source: z.string() })

/** The result of `status`. A problem with the session is part of the result. */
export const status = z.strictObject({
  profile: z.nullable(z.string()),
  environment: profile.shape.environment,
  base_url: z.nullable(z.string()),
  protect: profile.shape.protect,
  fingerprint: z.nullable(z.string()),
  settings: z.array(setting),
  problem: z.nullable(z.string()),
})

export const removedProfile = z.strictObject({ name: z.string(), removed: z.literal(true) })

export type ProfileShown = z.infer<typeof profile>
export type StatusSetting = z.infer<typeof setting>
export type Status = z.infer<typeof status>
