import type { Part } from './row-recorder.ts'

/** Rows to send, and what happened to them. */
export interface Task extends Part {
  /** Requests made for exactly these rows. */
  tries: number
  /** Number of times the service failed on this batch alone and applied none of its rows. */
  strikes: number
  /** Whether a 422 has already removed rows. */
  isRemainder: boolean
  /** Whether this is the second attempt after a 404 for a user who exists. */
  isSecondLook?: boolean
  /** Why a 2xx did not confirm the answers. A queue may still save them, so they are never sent again. */
  unconfirmed?: string | undefined
  /** Outcomes of the latest requests and lists, for the reason of an unknown row. */
  history: readonly string[]
  /** Whether a request of this process contained these rows. */
  isSent?: boolean
}

const keptEvents = 10

export function withEvent(task: Task, event: string): Task {
  return { ...task, history: [...task.history.slice(1 - keptEvents), event] }
}

/** Halves, in order. */
export function split(task: Task): Task[] {
  const middle = Math.ceil(task.rows.length / 2)
  return [task.rows.slice(0, middle), task.rows.slice(middle)].map((rows) => ({
    ...task,
    rows,
    isRemainder: false,
  }))
}
