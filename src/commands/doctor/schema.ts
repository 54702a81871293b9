import * as z from 'zod/mini'

export const findings = z.array(
  z.strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'problem', 'skipped']),
    detail: z.string(),
    fix: z.nullable(z.string()),
  }),
)
