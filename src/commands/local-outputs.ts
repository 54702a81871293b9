import * as z from 'zod'
import type { ErrorCode } from '../base/errors.ts'
import type { Effect } from '../contract/endpoint.ts'
import { protections, stores } from '../profiles/profile.ts'

const environment = z.enum(['sandbox', 'development', 'production'])

const profile = z.object({
  name: z.string(),
  environment,
  default: z.boolean(),
  base_url: z.string().nullable(),
  store: z.enum(stores).nullable(),
  stored_in: z.string().nullable(),
  fingerprint: z.string().nullable(),
  protect: z.enum(protections),
  unlocked_until: z.string().nullable(),
})

const setting = z.object({ name: z.string(), value: z.string().nullish(), source: z.string() })

const change = z.object({
  sequence: z.int(),
  time: z.string(),
  profile: z.string().nullable(),
  fingerprint: z.string().nullable(),
  command: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int().nullable(),
  request_id: z.string().nullable(),
  reason: z.string().nullable(),
  previous: z.string(),
  hash: z.string(),
})

const count = z.int().nullable()
const storedImport = z.object({
  id: z.string(),
  status: z.string(),
  source: z.string().nullable(),
  profile: z.string().nullable(),
  host: z.string().nullable(),
  started_at: z.string().nullable(),
  last_activity_at: z.string().nullable(),
  rows: count,
  accepted: count,
  rejected: count,
  unknown: count,
  unsent: count,
  problem: z.string().nullable(),
})

const mergedImport = z.object({
  input_sha256: z.string(),
  profile: z.string().nullable(),
  status: z.enum(['finished', 'stopped']),
  shards: z.int(),
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  unsent: z.int(),
  requests: z.int(),
  retried: z.int(),
  rejects_files: z.array(z.string()),
  unknown_files: z.array(z.string()),
})

/** What a command can fail with that speaks to the service. */
export const fromService: readonly ErrorCode[] = [
  'unauthenticated',
  'not_found',
  'forbidden',
  'rejected',
  'rate_limited',
  'server',
]

/** What the rows of an import end with. */
export const fromImport: readonly ErrorCode[] = ['import_rejected', 'import_stopped']

export interface LocalOutput {
  schema: z.ZodType
  /** What the command does to files and keys of this machine. */
  effect: Effect
  /** What it can fail with besides what its effect tells. */
  failures?: readonly ErrorCode[]
}

function reads(schema: z.ZodType, failures?: readonly ErrorCode[]): LocalOutput {
  return { schema, effect: 'read', ...(failures && { failures }) }
}

function changes(schema: z.ZodType, failures?: readonly ErrorCode[]): LocalOutput {
  return { schema, effect: 'change', ...(failures && { failures }) }
}

function destroys(schema: z.ZodType): LocalOutput {
  return { schema, effect: 'destroy' }
}

/** What commands print that send nothing to the service. */
export const localOutputs: Readonly<Record<string, LocalOutput>> = {
  'profiles add': changes(profile, fromService),
  'profiles list': reads(z.array(profile)),
  'profiles show': reads(profile),
  'profiles use': changes(profile),
  'profiles set': changes(profile),
  'profiles unlock': changes(profile),
  'profiles move-key': changes(profile),
  'profiles remove': destroys(z.object({ name: z.string(), removed: z.literal(true) })),
  status: reads(
    z.object({
      profile: z.string().nullable(),
      environment,
      base_url: z.string().nullable(),
      protect: z.enum(protections),
      fingerprint: z.string().nullable(),
      settings: z.array(setting),
      problem: z.string().nullable(),
    }),
  ),
  'history list': reads(z.array(change)),
  'history verify': reads(
    z.object({
      ok: z.boolean(),
      lines: z.int(),
      files: z.int(),
      first: z.int().nullable(),
      last: z.int().nullable(),
      problems: z.array(z.object({ file: z.string(), line: z.int(), problem: z.string() })),
    }),
  ),
  doctor: reads(
    z.array(
      z.object({
        check: z.string(),
        status: z.enum(['ok', 'warning', 'problem', 'skipped']),
        detail: z.string(),
        fix: z.string().nullable(),
      }),
    ),
    ['refused'],
  ),
  'imports list': reads(z.array(storedImport)),
  'imports show': reads(storedImport),
  'imports merge': reads(mergedImport, fromImport),
  'imports remove': destroys(z.object({ id: z.string(), removed: z.literal(true) })),
  demo: reads(z.null().meta({ description: 'text for people; there is no machine form' })),
  'sandbox serve': changes(
    z.object({ url: z.string(), database: z.string(), profiles: z.array(z.string()) }),
  ),
  'sandbox scan': changes(
    z.object({
      recorded: z.int(),
      first: z.string(),
      last: z.string(),
      latest_face_scan_id: z.string(),
    }),
    ['not_found'],
  ),
  'sandbox key': reads(z.object({ alias: z.string(), key: z.string() })),
  'sandbox status': reads(
    z.object({
      database: z.string(),
      customer: z.string(),
      users: z.int(),
      face_scans: z.int(),
      answers: z.int(),
      keys: z.array(z.string()),
      serving: z.string().nullish(),
    }),
  ),
  'sandbox reset': destroys(z.object({ database: z.string(), reset: z.literal(true) })),
  'sandbox openapi': reads(z.looseObject({ openapi: z.string() })),
  schema: reads(
    z.looseObject({
      schema_version: z.literal(1),
      commands: z.array(z.looseObject({ command: z.string() })),
    }),
  ),
  completion: reads(z.string()),
  help: reads(
    z.object({
      name: z.string(),
      summary: z.string(),
      sections: z.array(
        z.object({
          heading: z.string().optional(),
          text: z.string().optional(),
          examples: z.array(z.string()).optional(),
          rows: z.array(z.tuple([z.string(), z.string()])).optional(),
          titled: z.boolean().optional(),
        }),
      ),
    }),
  ),
}
