import type { Answer } from '../types.ts'
import type { ListedAnswer } from './service.ts'
import { Tally } from './tally.ts'

/** Positions of the rows that were sent. */
export interface Findings {
  applied: number[]
  missing: number[]
  /** Not there, though a later answer to the same question is: the list may keep only the latest. */
  unprovable: number[]
  /** False where the list lacks what is certainly saved, so that nothing else is missing for not being in it. */
  isWhole: boolean
}

/**
 * Compares what was sent with what the service lists, as multisets of (lookup key, value) not older than `since`.
 * `earlier` counts answers of this import to the same user that are certainly applied and may be in the list too.
 */
export function compare(
  sent: readonly Answer[],
  listed: readonly ListedAnswer[],
  since: number,
  earlier: Tally,
): Findings {
  const present = new Tally()
  for (const answer of listed) if (answer.at >= since) present.add(answer)
  const isWhole = present.covers(earlier)
  present.subtract(earlier)
  const applied = new Set<number>()
  for (const [at, answer] of sent.entries()) if (present.take(answer)) applied.add(at)
  const findings: Findings = { applied: [...applied], missing: [], unprovable: [], isWhole }
  const answeredLater = new Set<string>()
  for (const [at, { lookup_key }] of [...sent.entries()].reverse()) {
    if (applied.has(at)) answeredLater.add(lookup_key)
    else (answeredLater.has(lookup_key) ? findings.unprovable : findings.missing).unshift(at)
  }
  return findings
}
