import * as z from 'zod/mini'
import { type ProfileFile, profileNamePattern, protections, stores } from './profile.ts'

const profile = z.looseObject({
  store: z.enum(stores),
  fingerprint: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
  protect: z.optional(z.enum(protections)),
  keyCommand: z.optional(z.string()),
  reference: z.optional(z.boolean()),
  unlock: z.optional(
    z.object({
      from: z.optional(z.number()),
      until: z.number(),
      fromUptime: z.optional(z.number()),
      reason: z.string(),
    }),
  ),
})

/** The profile file. Fields that this version does not know are kept. */
export const profileFileSchema: z.ZodMiniType<ProfileFile> = z.looseObject({
  version: z.literal(1),
  default: z.optional(z.string()),
  profiles: z.record(z.string().check(z.regex(profileNamePattern, 'not a profile name')), profile),
})

/** A key file: the keys of one kind by profile name. */
export const keyFileSchema = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.string()),
})

export type KeyFile = z.infer<typeof keyFileSchema>
