import * as z from 'zod/mini'
import { profileNamePattern, protections, stores } from './profile-values.ts'

/** A period in which a read-only profile accepts confirmed changes. Times are in milliseconds. */
const unlock = z.object({
  from: z.optional(z.number()),
  until: z.number(),
  /** Uptime of the machine at `from`. Unlike the clock, it cannot be set back. */
  fromUptime: z.optional(z.number()),
  reason: z.string(),
})

/** The entry of one profile in the profile file. It never contains the key. */
const profile = z.looseObject({
  store: z.enum(stores),
  /** Fingerprint of the stored key; with the store `command`, of the first key that the command printed. */
  fingerprint: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
  protect: z.optional(z.enum(protections)),
  /** Shell command that prints the key; only with the store `command`. */
  keyCommand: z.optional(z.string()),
  /** Whether to show this tool's reference values (default: no). The service does not return them. */
  reference: z.optional(z.boolean()),
  unlock: z.optional(unlock),
})

/** The profile file. Unknown fields are kept. */
export const profileFileSchema = z.looseObject({
  version: z.literal(1),
  default: z.optional(z.string()),
  profiles: z.record(z.string().check(z.regex(profileNamePattern, 'not a profile name')), profile),
})

/** A key file: the keys of one kind by profile name. */
export const keyFileSchema = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.string()),
})

export type Unlock = z.infer<typeof unlock>
export type Profile = z.infer<typeof profile>
export type ProfileFile = z.infer<typeof profileFileSchema>
export type KeyFile = z.infer<typeof keyFileSchema>
