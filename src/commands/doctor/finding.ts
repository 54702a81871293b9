import type * as z from 'zod/mini'
import { FacescanError } from '../../base/errors.ts'
import type { findings } from './schema.ts'

export type Finding = z.infer<typeof findings>[number]
export type Outcome = Omit<Finding, 'check'>

function outcomeOf(status: Finding['status']) {
  return (detail: string, fix: string | null = null): Outcome => ({ status, detail, fix })
}

export const ok = outcomeOf('ok')
export const skipped = outcomeOf('skipped')
export const warning = outcomeOf('warning')
export const problem = outcomeOf('problem')

/** One check. It has several outcomes if it covers several files. */
export type Check = readonly [name: string, look: () => Promise<Outcome | Outcome[]> | Outcome | Outcome[]]

/** Runs the checks one after the other. A check that throws becomes a finding, so the report is always complete. */
export async function runChecks(checks: readonly Check[], signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, look] of checks) {
    const outcomes = await Promise.resolve().then(look).catch(toOutcome)
    signal.throwIfAborted()
    findings.push(...[outcomes].flat().map((outcome) => ({ check, ...outcome })))
  }
  return findings
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof FacescanError)) throw error
  return problem(error.message, error.details.hint)
}
