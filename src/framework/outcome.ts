import type { FacescanError } from '../base/errors.ts'
import type { AnyView, View } from '../output/view.ts'

interface Ending {
  /** The change that was made, such as `Updated user 4711`: one line on stderr, below the result. */
  done?: string | undefined
  /** Whether `done` or `error` is sufficient for people, so that the result is printed only in machine formats. */
  brief?: boolean | undefined
  /** Notes below the result, not shown with --quiet. */
  notes?: readonly string[] | undefined
  /** Note that a list does not contain all items. For a list of users, it is shown once. */
  cut?: string | undefined
  /** Reported after the result; sets the exit code. */
  error?: FacescanError | undefined
  /** Called after the result and the error were printed. */
  reported?: (() => void) | undefined
}

/** A result and how the command ends; without a view, the view of the command applies. */
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

/** Returned by `run` instead of the plain result to add notes, an error, or another view. */
export function outcome<T, Row>(
  value: T,
  { view, ...ending }: Ending & { view?: View<NoInfer<T>, Row> },
): Outcome<T> {
  return new Outcome(value, view, ending)
}

/** Returned by a command that wrote its output with `ctx.print` or `write`, such as a stream or an image. */
export const alreadyPrinted = Symbol('already printed')
