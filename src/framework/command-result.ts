import type { FacescanError } from '../base/errors.ts'
import type { AnyView, View } from '../output/view.ts'

/** Options for printing a result, and texts to print after its value. */
export interface ResultParts {
  /** The change that was made, such as `Updated user 4711`. Printed in one line on stderr after the result. */
  done?: string | undefined
  /** Whether the complete value is printed even if `--json` names fields. */
  isComplete?: boolean | undefined
  /** Whether `done` or `error` contains all important information. If so, the result is printed only in machine formats. */
  brief?: boolean | undefined
  /** Notes that are printed after the result, unless --quiet is set. */
  notes?: readonly string[] | undefined
  /** Note about an incomplete list. A run for many users prints the note once. */
  cut?: string | undefined
  /** Number of rows by status, including the rows of an interrupted run. */
  statuses?: Readonly<Record<string, number>> | undefined
  /** Error that is reported after the result and sets the exit code. */
  error?: FacescanError | undefined
  /** Called after the result and the error were printed. */
  reported?: (() => void) | undefined
}

const brand = Symbol('command result')

/** The value that a command returns, with texts to print after it. */
export interface CommandResult<T> extends ResultParts {
  readonly [brand]: true
  readonly value: T
  /** The view of this result (default: the view of the command). */
  readonly view: AnyView<never> | undefined
}

/** Adds notes, an error, or a different view to the result that `run` returns. */
export function commandResult<T, Row>(
  value: T,
  { view, ...parts }: ResultParts & { view?: View<NoInfer<T>, Row> },
): CommandResult<T> {
  return { ...parts, [brand]: true, value, view }
}

export function toCommandResult(returned: unknown): CommandResult<unknown> {
  const isResult = typeof returned === 'object' && returned !== null && brand in returned
  return isResult ? (returned as CommandResult<unknown>) : commandResult(returned, {})
}

/** Returned by a command that has already printed its output, such as a stream or an image. */
export const alreadyPrinted = Symbol('already printed')
