import * as z from 'zod/mini'

const count = z.nullable(z.int())

export const storedImport = z.strictObject({
  id: z.string(),
  status: z.enum(['running', 'stopped', 'finished', 'damaged']),
  source: z.nullable(z.string()),
  profile: z.nullable(z.string()),
  host: z.nullable(z.string()),
  started_at: z.nullable(z.string()),
  last_activity_at: z.nullable(z.string()),
  rows: count,
  accepted: count,
  rejected: count,
  unknown: count,
  unsent: count,
  requests: count,
  retried: count,
  seconds: z.nullable(z.number()),
  rejects_file: z.nullable(z.string()),
  unknown_file: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})

/** An import, as `imports list` prints it. Counts are null if the journal cannot be read. */
export type ShownImport = z.infer<typeof storedImport>

export const storedImports = z.array(storedImport)

/** Number of rows by state. The four states add up to `rows`. Invalid rows count as rejected. */
const states = {
  profile: z.nullable(z.string()),
  input_sha256: z.string(),
  status: z.enum(['finished', 'stopped']),
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  unsent: z.int(),
  requests: z.int(),
  retried: z.int(),
}

export const importSummary = z.strictObject({
  ...states,
  id: z.string(),
  source: z.string(),
  shard: z.nullable(z.string().check(z.regex(/^\d+\/\d+$/))),
  /** Hash of the settings. Two imports with the same settings and destination have the same hash. */
  settings_sha256: z.string(),
  seconds: z.number(),
  /** Rows that this process sent. 0 if it reports the result of an earlier process. */
  sent_now: z.int(),
  rejects_file: z.nullable(z.string()),
  unknown_file: z.nullable(z.string()),
})

export type Summary = z.infer<typeof importSummary>

/** `answers` counts the latest answer of each user to each question. `saved` to `unverified` add up to `answers`. */
const verification = {
  users: z.int(),
  answers: z.int(),
  saved: z.int(),
  missing: z.int(),
  /** Number of answers whose value in the service differs from the file. */
  different: z.int(),
  /** Number of answers that were replaced by newer answers. */
  changed: z.int(),
  /** Number of answers that could not be checked, because the user's answers could not be listed. */
  unverified: z.int(),
  /** Rows that the service rejected. They are not counted in `answers`. */
  rejected: z.int(),
  unsaved_file: z.nullable(z.string()),
}

export const verifiedImport = z.strictObject({ import: z.string(), ...verification })

/** The printed summary. If --verify is set, it contains the verification. */
const printedSummary = z.extend(importSummary, {
  verification: z.optional(z.strictObject(verification)),
})

export type PrintedSummary = z.infer<typeof printedSummary>

const optionalWork = { requests: z.optional(z.int()), retried: z.optional(z.int()) }

/** The summary of an import of answers, or of one shard of a list of users. `imports merge` reads both. */
export const shardSummary = z.extend(importSummary, {
  ...optionalWork,
  seconds: z.optional(z.number()),
  // Version 0.1 did not write this field.
  sent_now: z.optional(z.int()),
  /** Name and checksum of the file that contains the users. The file is in the directory of the summary. */
  results_file: z.optional(z.string()),
  results_crc32: z.optional(z.int()),
})

export type ShardSummary = z.infer<typeof shardSummary>

export const mergedSummary = z.strictObject({
  ...states,
  ...optionalWork,
  shards: z.int(),
  rejects_files: z.array(z.string()),
  unknown_files: z.array(z.string()),
  results_file: z.optional(z.string()),
})

export type MergedSummary = z.infer<typeof mergedSummary>

export const removedImport = z.strictObject({ id: z.string(), removed: z.literal(true) })

const place = { row: z.int(), line: z.int(), offset: z.int() }

const plan = z.strictObject({
  name: z.string(),
  identity: z.strictObject({ sha256: z.string(), bytes: z.int() }),
  format: z.enum(['csv', 'tsv', 'jsonl', 'xlsx']),
  form: z.enum(['long', 'wide']),
  delimiter: z.optional(
    z.strictObject({ character: z.string(), from: z.enum(['header', 'sep line', 'option']) }),
  ),
  encoding: z.string(),
  gzip: z.boolean(),
  sheet: z.optional(z.string()),
  normalized: z.strictObject({
    trimmed_cells: z.int(),
    /** Number of values such as 5.0 that were read as whole numbers. */
    decimals: z.int(),
    restored_ids: z.int(),
    title_lines: z.int(),
  }),
  sample: z.array(
    z.strictObject({ user: z.string(), lookup_key: z.string(), value: z.int(), timezone: z.string() }),
  ),
  /** Answers outside the usual values for adults, by lookup key. */
  unusual: z.array(z.strictObject({ lookup_key: z.string(), answers: z.int(), usual: z.string() })),
  columns: z.array(z.strictObject({ header: z.string(), read_as: z.string() })),
  ignored_columns: z.array(z.string()),
  timezone: z.optional(z.string()),
  rows: z.int(),
  answers: z.int(),
  invalid: z.int(),
  /** Number of invalid rows, including rows of other shards. */
  invalid_in_input: z.int(),
  /** Number of skipped lines: empty lines and, in wide form (one column per lookup key), rows without an answer. */
  skipped: z.int(),
  /** Number of valid rows that an earlier import wrote to its file of unknown rows. The service may already have saved these rows. */
  unknown: z.int(),
  users: z.int(),
  requests: z.int(),
  problem_counts: z.array(z.strictObject({ code: z.string(), rows: z.int() })),
  problems: z.array(
    z.strictObject({
      ...place,
      user: z.string(),
      column: z.optional(z.string()),
      code: z.string(),
      message: z.string(),
    }),
  ),
  unknown_keys: z.array(
    z.strictObject({
      key: z.string(),
      rows: z.int(),
      first_line: z.int(),
      nearest: z.optional(z.string()),
    }),
  ),
  repeats: z.strictObject({
    rows: z.int(),
    examples: z.array(z.strictObject({ lookup_key: z.string(), line: z.int(), first_line: z.int() })),
  }),
})

export type Plan = z.infer<typeof plan>

/** A plan with its destination and estimated times. The times are null if the service did not respond. */
const planReport = z.extend(plan, {
  profile: z.nullable(z.string()),
  host: z.string(),
  estimated_seconds: z.nullable(z.number()),
  /** Seconds for the verification. Null if --verify is not set. */
  verification_seconds: z.nullable(z.number()),
  /** Duration of the first request. The estimated times of the import are calculated from this duration. */
  latency_ms: z.nullable(z.number()),
})

export type PlanReport = z.infer<typeof planReport>

export const answersImport = z.union([printedSummary, planReport])
