import * as z from 'zod'

export const changes = z.array(
  z.strictObject({
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
