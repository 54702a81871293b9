import * as z from 'zod'
import { type ProfileFile, profileNamePattern, protections, stores } from './profile.ts'

const profile = z.looseObject({
  store: z.enum(stores),
  fingerprint: z.string().optional(),
  baseUrl: z.string().optional(),
  protect: z.enum(protections).optional(),
  keyCommand: z.string().optional(),
  unlock: z.object({ until: z.number(), reason: z.string() }).optional(),
})

/** The profile file; fields of a hand are kept, so that nothing a person wrote is lost. */
export const profileFileSchema: z.ZodType<ProfileFile> = z.looseObject({
  version: z.literal(1),
  default: z.string().optional(),
  profiles: z.record(z.string().regex(profileNamePattern, 'not a profile name'), profile),
})

/** The keys of one kind by profile name. */
export const keyFileSchema = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.string()),
})

export type KeyFile = z.infer<typeof keyFileSchema>
