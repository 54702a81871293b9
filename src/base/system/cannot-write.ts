import { ConfigurationError, FacescanError } from '../errors.ts'
import { systemCode, systemReason } from './system-code.ts'

/** The error for a failed write. An error that is not from the system is returned unchanged. */
export function cannotWrite(what: string, cause: unknown, hint: string): unknown {
  if (cause instanceof FacescanError || systemCode(cause) === undefined) return cause
  return new ConfigurationError(`cannot write ${what} (${systemReason(cause)})`, { hint, cause })
}
