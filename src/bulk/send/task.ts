import type { Part } from './row-recorder.ts'

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
