import type { ServiceClock } from '../service-clock.ts'
import type { Answer } from '../types.ts'
import { Multiset } from './user-queue.ts'

export interface ListedAnswer {
  lookup_key: string
  value: number
  at: number
}

export type Listing = { usable: true; answers: ListedAnswer[] } | { usable: false; why: string }

/** A request whose outcome is unknown, and the answers of other requests. The service may list the answers of all of them. */
export interface SentAnswers {
  answers: readonly Answer[]
  /** Earliest possible time of the request in ms, by the clock of the service. */
  at: number
  /** Listed answers before this time are ignored. The time is `at`, or the time of the first request in a chain of recent requests. */
  since: number
  /** Answers that this import certainly saved after `since`. */
  saved: Multiset
  /** Answers with an unknown outcome, from other requests of this import. They may be listed with a time after `since`. */
  unknown: Multiset
  /** Another source that may have saved the same values after `since`. Listed answers are then not proof. */
  doubt?: string | undefined
}

/** The result of comparing a request with the list of saved answers. Each group contains positions of answers in the request. */
export interface Evidence {
  applied: number[]
  missing: number[]
  /** Answers with a listed later answer to the same question. Sending them again would replace the later answer. */
  superseded: number[]
  unproven: { rows: number[]; why: string }[]
}

/** Tolerance in ms for answer times until the clock of the service is measured. The service may use another time zone. */
const unmeasuredMs = 24 * 60 * 60_000
const unmeasured = 'the times of saved answers could not be compared with the service’s clock'
const unsteady = 'the service’s clock is inconsistent'
const incomplete = 'the answer list is incomplete'
const late = 'new answers appear late or with another time in the answer list'
const onlyLatest = 'the answer list may contain only the latest answer to a question'
const uncertain = 'an earlier request with the same answer had an unknown outcome'

/**
 * Determines which answers of a request with an unknown outcome were applied. Compares the sent and the listed pairs of lookup key and
 * value. A listed answer is proof only if no other request can have saved it. README.md describes the rule.
 */
export function reconcile(
  intent: SentAnswers,
  listing: Listing,
  clock: Pick<ServiceClock, 'hasReached' | 'limitsOf' | 'listsLate' | 'listsHistory'>,
): Evidence {
  const { answers, at, since, saved, unknown, doubt } = intent
  if (!listing.usable) return nothingProven(answers, listing.why)
  // A time in the future means that the clock was set back, or that the times are in another time zone.
  const latest = listing.answers.reduce((latest, listed) => Math.max(latest, listed.at), at)
  const limits = clock.limitsOf(new Set(answers.map(({ timezone }) => timezone)))
  if (!clock.hasReached(latest, limits?.aheadMs)) return nothingProven(answers, unsteady)
  const listedSince = (from: number) => listing.answers.filter(({ at }) => at >= from)
  // If the clock was not measured, any listed answer may belong to this request.
  const recent = limits ? listedSince(since - limits.behindMs) : listing.answers
  const listed = new Multiset(recent)
  const possible = new Multiset(recent)
  const isComplete = possible.covers(saved)
  possible.subtract(saved)
  const certain = new Multiset(limits && doubt === undefined ? recent : [])
  certain.subtract(saved)
  certain.subtract(unknown)
  const found = findListed(answers, possible, certain)
  const later = new Multiset(
    limits ? recent.map(toQuestion) : listedSince(since - unmeasuredMs).map(toQuestion),
  )
  later.subtract(saved.questions())
  for (const at of [...found.applied, ...found.doubted]) later.take(toQuestion(answers[at] as Answer))
  const { missing, superseded } = splitAbsent(answers, found.absent, later)
  // If the list contains only the latest answer to a question, an identical later answer can replace the answer of this request.
  const isReplaced = (at: number) => !clock.listsHistory && listed.has(answers[at] as Answer)
  const absent = missing.filter((at) => !isReplaced(at))
  const unproven = [
    { rows: missing.filter(isReplaced), why: onlyLatest },
    { rows: found.doubted, why: limits ? (doubt ?? uncertain) : unmeasured },
    { rows: isComplete ? [] : absent.splice(0), why: incomplete },
    { rows: clock.listsLate ? absent.splice(0) : [], why: late },
  ]
  return {
    applied: found.applied,
    missing: absent,
    superseded,
    unproven: unproven.filter(({ rows }) => rows.length > 0),
  }
}

/** Divides the positions of the answers into three groups: certainly listed, possibly listed, and not listed. */
function findListed(answers: readonly Answer[], possible: Multiset, certain: Multiset) {
  const found = { applied: [] as number[], doubted: [] as number[], absent: [] as number[] }
  for (const [position, answer] of answers.entries()) {
    const isListed = possible.take(answer)
    if (isListed && certain.take(answer)) found.applied.push(position)
    else found[isListed ? 'doubted' : 'absent'].push(position)
  }
  return found
}

function nothingProven(answers: readonly Answer[], why: string): Evidence {
  return { applied: [], missing: [], superseded: [], unproven: [{ rows: [...answers.keys()], why }] }
}

/** Replaces the value with 0, so that answers to the same question are identical even if their values differ. */
function toQuestion({ lookup_key }: { lookup_key: string }): { lookup_key: string; value: number } {
  return { lookup_key, value: 0 }
}

/** Splits the answers that are not listed: answers to send again, and answers that a later answer to the same question replaced. */
function splitAbsent(answers: readonly Answer[], absent: readonly number[], later: Multiset) {
  const isAbsent = new Set(absent)
  const listedLater = new Set<string>()
  const missing: number[] = []
  const superseded: number[] = []
  for (const [at, { lookup_key }] of [...answers.entries()].reverse()) {
    if (!isAbsent.has(at)) listedLater.add(lookup_key)
    else if (listedLater.has(lookup_key) || later.has({ lookup_key, value: 0 })) superseded.unshift(at)
    else missing.unshift(at)
  }
  return { missing, superseded }
}
