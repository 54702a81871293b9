import * as z from 'zod/mini'

/**
 * A change: the planned request (intent) together with its outcome. A list or an import has one entry for its start and one entry for its
 * end.
 */
const change = z.strictObject({
  id: z.string(),
  /** Time as RFC 3339. */
  time: z.string(),
  /** Name of the operating-system user. */
  os_user: z.string(),
  /** Profile. Null for a key without a profile. */
  profile: z.nullable(z.string()),
  /** Host of the service. Null for a profile without a base URL. */
  host: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  /** Noun and verb, such as `users delete`. */
  command: z.string(),
  /** HTTP method. Null for a change of a profile or key. */
  method: z.nullable(z.string()),
  /** Path template of the contract, without IDs. */
  path: z.nullable(z.string()),
  /** The affected user. The outcome of a creation contains the ID of the new user. */
  user_id: z.nullable(z.string()),
  /** A keyed hash of the external user ID. */
  external_id_hash: z.nullable(z.string()),
  /** Description of the change, such as `import 216 answers of 24 users`. */
  detail: z.nullable(z.string()),
  /** Reason for unlocking a read-only profile. */
  reason: z.nullable(z.string()),
  /** How the change ended. `started` is the start of a list or an import. */
  outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
  /** HTTP status. Null without a response. */
  status: z.nullable(z.int()),
  request_id: z.nullable(z.string()),
})

export const changes = z.array(change)

export type Change = z.infer<typeof change>
