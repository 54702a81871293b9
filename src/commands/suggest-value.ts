import { ServiceError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'

interface Typed {
  /** Such as `lookup key`. */
  kind: string
  text: string
  known: readonly string[]
  hint?: string
}

/** Adds a suggestion to a rejection. The service can have more values than the specification, so a value is not checked before it is sent. */
export function suggestValue(error: unknown, { kind, text, known, hint }: Typed): unknown {
  const meant = known.includes(text) ? undefined : nearest(text, known)
  if (!(error instanceof ServiceError) || error.code !== 'rejected' || meant === undefined) return error
  const message = `unknown ${kind} "${text}"; did you mean "${meant}"?`
  return new ServiceError('rejected', message, { ...error.details, hint: hint ?? error.details.hint })
}
