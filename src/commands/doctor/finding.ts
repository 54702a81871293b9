import { FacescanError } from '../../base/errors.ts'

export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'problem' | 'skipped'
  detail: string
  /** The next step. */
  fix: string | null
}

export type Outcome = Omit<Finding, 'check'>

export function ok(detail: string): Outcome {
  return { status: 'ok', detail, fix: null }
}

export function skipped(detail: string): Outcome {
  return { status: 'skipped', detail, fix: null }
}

export function warning(detail: string, fix: string): Outcome {
  return { status: 'warning', detail, fix }
}

export function problem(detail: string, fix: string | null): Outcome {
  return { status: 'problem', detail, fix }
}

/** One check. It has several outcomes if it covers several files. */
export interface Check {
  name: string
  look(): Promise<Outcome | Outcome[]>
}

/** Runs the checks one after the other. A check that throws becomes a finding, so the report is always complete. */
export async function runChecks(checks: readonly Check[], signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, look } of checks) {
    const outcomes = await look().catch((error: unknown) => toOutcome(error))
    signal.throwIfAborted()
    findings.push(...[outcomes].flat().map((outcome) => ({ check: name, ...outcome })))
  }
  return findings
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof FacescanError)) throw error
  return problem(error.message, error.details.hint ?? null)
}
