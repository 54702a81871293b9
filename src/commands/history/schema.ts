import * as z from 'zod'

export const changes = z.array(
  z.strictObject({
    sequence: z.int(),
    time: z.string(),
    os_user: z.string().nullable(),
    profile: z.string().nullable(),
    host: z.string().nullable(),
    fingerprint: z.string().nullable(),
    command: z.string(),
    method: z.string().nullable(),
    path: z.string().nullable(),
    user_id: z.string().nullable(),
    external_id_hash: z.string().nullable(),
    detail: z.string().nullable(),
    reason: z.string().nullable(),
    outcome: z.enum(['done', 'failed', 'not sent', 'unknown', 'started']),
    status: z.int().nullable(),
    request_id: z.string().nullable(),
    previous: z.string(),
    hash: z.string(),
  }),
)

export const historyCheck = z.strictObject({
  ok: z.boolean(),
  lines: z.int(),
  files: z.int(),
  first: z.int().nullable(),
  last: z.int().nullable(),
  problems: z.array(z.strictObject({ file: z.string(), line: z.int(), problem: z.string() })),
})
