import { ConfigurationError, FacescanError } from '../errors.ts'
import { systemCode } from './system-code.ts'

/** What a person is told when the system refuses a write; an error of another kind stays what it is. */
export function cannotWrite(what: string, cause: unknown, hint: string): unknown {
  const code = systemCode(cause)
  if (cause instanceof FacescanError || code === undefined) return cause
  return new ConfigurationError(`cannot write ${what} (${code})`, { hint, cause })
}
