import * as z from 'zod/mini'
import { FacescanError } from '../../base/errors.ts'
import { hideKeys, hideKeysIn } from '../../base/mask.ts'
import type { Context } from '../../framework/context.ts'
import { renderHints } from '../../output/hint.ts'

export const findings = z.array(
  z.strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'problem', 'skipped']),
    detail: z.string(),
    fix: z.nullable(z.string()),
  }),
)

export type Finding = z.infer<typeof findings>[number]
export type CheckResult = Omit<Finding, 'check'>

function resultOf(status: Finding['status']) {
  return (detail: string, fix: string | null = null): CheckResult => ({ status, detail, fix })
}

export const ok = resultOf('ok')
export const skipped = resultOf('skipped')
export const warning = resultOf('warning')
export const problem = resultOf('problem')

/** One check. A check of several files has several findings. */
export type Check = readonly [
  name: string,
  look: () => Promise<CheckResult | CheckResult[]> | CheckResult | CheckResult[],
]

/** Runs the checks one after another. An error in a check becomes a finding, so that the report is complete. */
export async function runChecks(
  checks: readonly Check[],
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<Finding[]> {
  const hideValues = hideKeys([], false, env)
  const hide = (text: string) => hideKeysIn(hideValues(text))
  const findings: Finding[] = []
  for (const [check, look] of checks) {
    const outcomes = await Promise.resolve().then(look).catch(toCheckResult)
    signal.throwIfAborted()
    findings.push(
      ...[outcomes].flat().map(({ detail, fix, ...outcome }) => {
        return { check, ...outcome, detail: hide(detail), fix: fix && hide(fix) }
      }),
    )
  }
  return findings
}

function toCheckResult(error: unknown): CheckResult {
  if (!(error instanceof FacescanError)) throw error
  return problem(error.message, renderHints(error))
}
