import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { FinalRecord, IntentRecord } from '../journal/record.ts'
import type { Lock } from '../lock.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Answer, Batch, Reason } from '../types.ts'
import type { ActiveWriters } from '../writers/active-writers.ts'
import type { AnswerService } from './api-service.ts'
import type { UserQueue } from './user-queue.ts'

export const userNotFound: Reason = { code: 'refused_404', message: 'user not found' }

export interface RunParts {
  service: AnswerService
  serviceClock: ServiceClock
  journal: Journal
  lock: Pick<Lock, 'ensureHeld'>
  engine: Pick<Engine<Batch, UserQueue>, 'halt' | 'stop' | 'pace' | 'releaseSlotWhile' | 'isStalled'>
  /** Other commands on this machine that save answers. */
  writers: Pick<ActiveWriters, 'findConcurrentWriter'>
  clock: Clock
  random(): number
  timeoutMs: number
  onAmbiguous: 'hold' | 'resend' | 'skip'
  /** Whether this command has just created the users. A service may find a new user only after some seconds. */
  usersAreNew?: boolean
}

export interface Task extends Part {
  /** Number of earlier requests that contained these rows, alone or with other rows. */
  tries: number
  /** Number of failed requests that applied no row. A failure other than a 5xx counts as 0.25. The count restarts if many batches fail. */
  strikes: number
  /** Whether a response has already rejected other rows of the batch. */
  isRemainder: boolean
  /** Whether this is the second attempt after a 404 for a user who exists or was just created. */
  isSecondLook?: boolean
  /** Reason why a 2xx response did not confirm the answers. Such answers are not sent again, because the service may still save them. */
  unconfirmed?: string | undefined
  /** Outcomes of the latest requests, including requests for the list of answers. They explain why the state of a row is unknown. */
  history: readonly string[]
  isSent: boolean
}

const keptEvents = 10

export function withEvent(task: Task, event: string): Task {
  return { ...task, history: [...task.history.slice(1 - keptEvents), event] }
}

export function split(task: Task): Task[] {
  const middle = Math.ceil(task.rows.length / 2)
  return [task.rows.slice(0, middle), task.rows.slice(middle)].map((rows) => ({
    ...task,
    rows,
    isRemainder: false,
  }))
}

/** Code of rows that the service may still save later. */
export const unconfirmedCode = 'unconfirmed'

export interface Part {
  batch: Batch
  rows: readonly number[]
}

type JournalOfRun = Pick<RunParts, 'journal' | 'serviceClock'>

/** Writes an intent (the record of a planned request) to the journal. Rows must not be sent before the intent is on disk. */
export function recordIntent(
  { journal, serviceClock }: JournalOfRun,
  part: Part,
  { chain, since }: Pick<IntentRecord, 'chain' | 'since'>,
): { intent: IntentRecord; durable: Promise<void> } {
  const intent: IntentRecord = {
    type: 'INTENT',
    batch: part.batch.id,
    rows: part.rows.length,
    part: positionsOf(part),
    at: serviceClock.now(),
    chain,
    since,
  }
  return { intent, durable: journal.commit(intent) }
}

/** Closes an intent. Its rows may be sent again unless they are applied, rejected, or unknown. */
export function closeIntent(
  { journal, serviceClock }: JournalOfRun,
  part: Part,
  applied: readonly number[],
  user?: number,
): void {
  journal.append({
    type: 'ACK',
    batch: part.batch.id,
    rows: applied.length,
    part: applied.length === part.rows.length ? positionsOf(part) : [...applied],
    at: serviceClock.now(),
    user,
  })
}

/**
 * Records the final state of rows. Call this before `closeIntent`, so that a crash between the two calls does not send the rows again.
 * The reason must not contain personal data.
 */
export function recordFinal(
  { journal }: Pick<RunParts, 'journal'>,
  type: FinalRecord['type'],
  { batch, rows }: Part,
  { code, message }: Reason,
): void {
  if (rows.length > 0) journal.append({ type, batch: batch.id, part: [...rows], code, message })
}

/** Records rows as unknown. The reason contains the outcomes of the earlier requests for the rows. */
export function recordUnknown(run: Pick<RunParts, 'journal'>, task: Task, { code, message }: Reason): void {
  recordFinal(run, 'UNKNOWN', task, { code, message: [message, ...task.history].join('; ') })
}

/** The positions of the rows in their batch. Undefined for a complete batch. */
function positionsOf({ batch, rows }: Part): number[] | undefined {
  return rows.length === batch.rows.length ? undefined : [...rows]
}

export function zonesOf(part: Part): Set<string> {
  const zones = new Set<string>()
  for (const { timezone } of answersOf(part)) zones.add(timezone)
  return zones
}

export function answersOf({ batch, rows }: Part): readonly Answer[] {
  if (rows.length === batch.rows.length) return batch.rows
  return rows.flatMap((at) => batch.rows[at] ?? [])
}
