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

/** Facts about a change before it is made, without secrets and personal data. */
export type ChangeFacts = Partial<
  Omit<Change, 'id' | 'time' | 'os_user' | 'outcome' | 'status' | 'request_id'>
> & {
  /** Whether the change is a list or an import, with many requests. */
  is_import?: boolean
}

/** How a change ended. With `unknown`, the service may have made the change. */
export interface ChangeResult extends Partial<Pick<Change, 'status' | 'request_id' | 'user_id' | 'detail'>> {
  outcome: Exclude<Change['outcome'], 'started'>
}

/**
 * One line of the log. An intent (the planned change) is on disk before its request is sent. The outcome is added after the response and
 * has the ID of its intent. The entry for one user of a list contains both the intent and the outcome.
 */
export type Entry = Omit<Change, 'outcome' | 'status' | 'request_id'> &
  Partial<Change> & { event: 'intent' | 'user' | 'outcome'; is_import?: boolean }
