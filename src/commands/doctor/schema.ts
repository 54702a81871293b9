import * as z from 'zod/mini'

export const findings = z.array(
  z.strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'problem', 'skipped']),
    detail: z.string(),
    /** The next step. */
    fix: z.nullable(z.string()),
  }),
)
