import type { Cause } from './causes.ts'
import type { Part } from './ledger.ts'

/** Rows on their way, with what has happened to them so far. */
export interface Task extends Part {
  /** Requests made for exactly these rows. */
  tries: number
  /** How often reconciling found none of them applied after an outcome that only this batch met with. */
  strikes: number
  /** Whether a 422 has already taken rows out. */
  isRemainder: boolean
}

export function wholeTask({ batch, rows }: Part): Task {
  return { batch, rows, tries: 0, strikes: 0, isRemainder: false }
}

/** Every request makes one: naming the members costs a tenth of spreading them. */
export function triedOnceMore({ batch, rows, tries, strikes, isRemainder }: Task): Task {
  return { batch, rows, tries: tries + 1, strikes, isRemainder }
}

export function split(task: Task): Task[] {
  const middle = Math.ceil(task.rows.length / 2)
  const half = { ...task, isRemainder: false }
  return [
    { ...half, rows: task.rows.slice(0, middle) },
    { ...half, rows: task.rows.slice(middle) },
  ]
}

export const unprovableCause: Cause = {
  code: 'superseded',
  message: 'sent without a clear answer, and a later answer to the same question hides whether it was saved',
}

export const blamedCause: Cause = {
  code: 'fails_repeatedly',
  message: 'the service failed three times on this answer; it was not saved when last looked up',
}

export function unprovenCause(why: string): Cause {
  return { code: 'unproven', message: `sent without a clear answer, and ${why}` }
}
