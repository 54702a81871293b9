import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { Lock } from '../lock.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Batch, Reason } from '../types.ts'
import type { ActiveWriters } from '../writers/active-writers.ts'
import type { AnswerService } from './api-service.ts'
import type { Part, RowRecorder } from './row-recorder.ts'
import type { UserQueue } from './user-queue.ts'

/** Why rows of an unknown user are rejected. */
export const userNotFound: Reason = { code: 'refused_404', message: 'user not found' }

/** Objects and settings that the parts of a run share. */
export interface RunParts {
  service: AnswerService
  serviceClock: ServiceClock
  journal: Journal
  lock: Pick<Lock, 'ensureHeld'>
  recorder: RowRecorder
  engine: Pick<Engine<Batch, UserQueue>, 'halt' | 'stop' | 'pace' | 'releaseSlotWhile' | 'isStalled'>
  /** Other commands on this machine that save answers. */
  writers: Pick<ActiveWriters, 'findConcurrentWriter'>
  clock: Clock
  random(): number
  timeoutMs: number
  /** What to do with rows whose outcome is unknown. */
  onAmbiguous: 'hold' | 'resend' | 'skip'
}

/** Rows to send, and their history. */
export interface Task extends Part {
  /** Number of requests that contained exactly these rows. */
  tries: number
  /** Number of failed requests that applied no row, while few other batches failed. */
  strikes: number
  /** Whether a 422 has already removed rows from the batch. */
  isRemainder: boolean
  /** Whether this is the second attempt after a 404 for a user who exists. */
  isSecondLook?: boolean
  /** Reason why a 2xx response did not confirm the answers. The service may still save the answers, so they are not sent again. */
  unconfirmed?: string | undefined
  /** Outcomes of the latest requests and lists, for the reason of an unknown row. */
  history: readonly string[]
  /** Whether a request of this process contained these rows. */
  isSent: boolean
}

const keptEvents = 10

export function withEvent(task: Task, event: string): Task {
  return { ...task, history: [...task.history.slice(1 - keptEvents), event] }
}

/** Splits a task into halves, in order. */
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

/** Reason for rows whose outcome is unknown when a run stops. */
export const openMessage = 'sent, but the outcome is unknown: the import stopped before it was checked'
