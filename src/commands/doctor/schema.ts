import * as z from 'zod'

export const findings = z.array(
  z.strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'problem', 'skipped']),
    detail: z.string(),
    fix: z.string().nullable(),
  }),
)
