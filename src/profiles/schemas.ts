import * as z from 'zod/mini'
import { protections, serviceEnvironments, stores } from './profile.ts'

export const profile = z.strictObject({
  name: z.string(),
  environment: z.enum(serviceEnvironments),
  default: z.boolean(),
  base_url: z.nullable(z.string()),
  store: z.nullable(z.enum(stores)),
  /** The file of the store, or its name. */
  stored_in: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  protect: z.enum(protections),
  /** Whether this tool's reference values (zones and directions) are shown. */
  reference: z.boolean(),
  /** RFC 3339; null if the profile is not unlocked. */
  unlocked_until: z.nullable(z.string()),
})

export const profiles = z.array(profile)

const setting = z.strictObject({ name: z.string(), value: z.nullable(z.string()), source: z.string() })

/** A session for people to look at. A problem is part of the result. */
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

/** A change: its intent together with its outcome. An import has one entry for each. */
const change = z.strictObject({
  sequence: z.int(),
  /** RFC 3339. */
  time: z.string(),
  /** Name of the operating-system user. */
  os_user: z.string(),
  /** Null for a key without a profile. */
  profile: z.nullable(z.string()),
  /** Host of the service; null for a profile without a base URL. */
  host: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  /** Noun and verb, such as `users delete`. */
  command: z.string(),
  /** Null for a change of a profile or key. */
  method: z.nullable(z.string()),
  /** The path as the contract spells it, without IDs. */
  path: z.nullable(z.string()),
  /** The affected user; the outcome of a creation contains the ID of the new user. */
  user_id: z.nullable(z.string()),
  /** A keyed hash of the external user ID. */
  external_id_hash: z.nullable(z.string()),
  /** Description of the change, such as `import 216 answers of 24 users`. */
  detail: z.nullable(z.string()),
  /** Reason for unlocking a read-only profile. */
  reason: z.nullable(z.string()),
  /** `started`: the start of an import. */
  outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
  /** HTTP status; null without a reply. */
  status: z.nullable(z.int()),
  request_id: z.nullable(z.string()),
  previous: z.string(),
  hash: z.string(),
})

export const changes = z.array(change)

export const historyCheck = z.strictObject({
  ok: z.boolean(),
  lines: z.int(),
  files: z.int(),
  /** Sequence numbers of the first and the last line. */
  first: z.nullable(z.int()),
  last: z.nullable(z.int()),
  /** `line` is counted from 1, and 0 for a problem of the entire file. */
  problems: z.array(z.strictObject({ file: z.string(), line: z.int(), problem: z.string() })),
})

export type ProfileShown = z.infer<typeof profile>
export type Setting = z.infer<typeof setting>
export type Status = z.infer<typeof status>
export type HistoryEntry = z.infer<typeof change>
export type HistoryCheck = z.infer<typeof historyCheck>
