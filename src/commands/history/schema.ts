import * as z from 'zod/mini'

export const changes = z.array(
  z.strictObject({
    sequence: z.int(),
    time: z.string(),
    os_user: z.nullable(z.string()),
    profile: z.nullable(z.string()),
    host: z.nullable(z.string()),
    fingerprint: z.nullable(z.string()),
    command: z.string(),
    method: z.nullable(z.string()),
    path: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    external_id_hash: z.nullable(z.string()),
    detail: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
    status: z.nullable(z.int()),
    request_id: z.nullable(z.string()),
    previous: z.string(),
    hash: z.string(),
  }),
)

export const historyCheck = z.strictObject({
  ok: z.boolean(),
  lines: z.int(),
  files: z.int(),
  first: z.nullable(z.int()),
  last: z.nullable(z.int()),
  problems: z.array(z.strictObject({ file: z.string(), line: z.int(), problem: z.string() })),
})
