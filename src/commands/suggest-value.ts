import { ServiceError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'

interface Typed {
  /** Name of the kind of value, such as `lookup key`. */
  kind: string
  text: string
  known: readonly string[]
  hint?: string
}

/** Adds a suggestion to a service error. Only the service checks values, because it can accept more than the specification lists. */
export function suggestValue(error: unknown, { kind, text, known, hint }: Typed): unknown {
  const meant = known.includes(text) ? undefined : nearest(text, known)
  if (!(error instanceof ServiceError) || error.code !== 'rejected' || meant === undefined) return error
  const message = `unknown ${kind} "${text}"; did you mean "${meant}"?`
  return new ServiceError('rejected', message, { ...error.details, hint: hint ?? error.details.hint })
}
