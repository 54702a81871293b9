import type { FacescanError } from '../base/errors.ts'
import type { AnyView, View } from '../output/view.ts'

interface Ending {
  /** The change that was made, such as `Updated user 4711`. Printed in one line on stderr after the result. */
  done?: string | undefined
  /** Whether `done` or `error` contains everything that people need. The result is then printed only in machine formats. */
  brief?: boolean | undefined
  /** Notes that are printed after the result, except with --quiet. */
  notes?: readonly string[] | undefined
  /** Note that a list is not complete. For a list of users, the note is printed once. */
  cut?: string | undefined
  /** Error that is reported after the result and sets the exit code. */
  error?: FacescanError | undefined
  /** Called after the result and the error were printed. */
  reported?: (() => void) | undefined
}

const brand = Symbol('outcome')

/** A result together with how the command ends. The default view is the view of the command. */
export interface Outcome<T> {
  readonly [brand]: true
  readonly value: T
  readonly view: AnyView<never> | undefined
  readonly ending: Ending
}

/** Adds notes, an error, or a different view to the result that `run` returns. */
export function outcome<T, Row>(
  value: T,
  { view, ...ending }: Ending & { view?: View<NoInfer<T>, Row> },
): Outcome<T> {
  return { [brand]: true, value, view, ending }
}

/** The value that `run` returned, as an outcome. */
export function toOutcome(returned: unknown): Outcome<unknown> {
  const isOutcome = typeof returned === 'object' && returned !== null && brand in returned
  return isOutcome ? (returned as Outcome<unknown>) : outcome(returned, {})
}

/** Returned by a command that has already printed its output, such as a stream or an image. */
export const alreadyPrinted = Symbol('already printed')
