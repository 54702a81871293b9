import type { Cause } from './causes.ts'
import type { Part } from './ledger.ts'

/** Rows to send, and what happened to them. */
export interface Task extends Part {
  /** Requests made for exactly these rows. */
  tries: number
  /** Number of times the service failed on this batch alone and applied none of its rows. */
  strikes: number
  /** Whether a 422 has already removed rows. */
  isRemainder: boolean
  /** Outcomes of the latest requests and lists, for the reason of an unknown row. */
  history: readonly string[]
}

const keptEvents = 10

export function wholeTask({ batch, rows }: Part): Task {
  return { batch, rows, tries: 0, strikes: 0, isRemainder: false, history: [] }
}

export function withEvent(task: Task, event: string): Task {
  return { ...task, history: [...task.history.slice(1 - keptEvents), event] }
}

/** Adds the history to a cause. */
export function explainUnknown({ code, message }: Cause, { history }: Task): Cause {
  return { code, message: [message, ...history].join('; ') }
}

/** Halves, in order. */
export function split(task: Task): Task[] {
  const middle = Math.ceil(task.rows.length / 2)
  const half = { ...task, isRemainder: false }
  return [
    { ...half, rows: task.rows.slice(0, middle) },
    { ...half, rows: task.rows.slice(middle) },
  ]
}

export const supersededCause: Cause = {
  code: 'superseded',
  message: 'sent, but the outcome is unknown: a later answer to the same question replaced it',
}

export const failingCause: Cause = {
  code: 'fails_repeatedly',
  message: 'the service failed three times for this answer, and the answer is not saved',
}

export function unprovenCause(why: string): Cause {
  return { code: 'unproven', message: `sent, but the outcome is unknown: ${why}` }
}
