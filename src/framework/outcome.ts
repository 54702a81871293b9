import type { FacescanError } from '../base/errors.ts'
import type { AnyView, View } from '../output/view.ts'

interface Ending {
  /** The change that was made, such as `Updated user 4711`. Printed in one line on stderr after the result. */
  done?: string | undefined
  /** Whether people need only `done` or `error`, so that the result is printed only in machine formats. */
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

/** A result together with how the command ends. The default view is the view of the command. */
export class Outcome<T> {
  readonly value: T
  readonly view: AnyView<never> | undefined
  readonly ending: Ending

  constructor(value: T, view: AnyView<never> | undefined, ending: Ending) {
    this.value = value
    this.view = view
    this.ending = ending
  }
}

/** Adds notes, an error, or a different view to the result that `run` returns. */
export function outcome<T, Row>(
  value: T,
  { view, ...ending }: Ending & { view?: View<NoInfer<T>, Row> },
): Outcome<T> {
  return new Outcome(value, view, ending)
}

/** Returned by a command that has already printed its output, such as a stream or an image. */
export const alreadyPrinted = Symbol('already printed')
