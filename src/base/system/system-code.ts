import { getSystemErrorMap } from 'node:util'
import { ConfigurationError, FacescanError } from '../errors.ts'

/** Error code of a failed system call, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Reason why a system call failed, in words: `no such file or directory`. */
export function systemReason(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Number(error.errno) : undefined
  const [, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return words ?? systemCode(error) ?? 'unknown error'
}

/** Returns false if `create` fails because the path exists. */
export function isCreated(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** The error for a failed write. An error that is not from the system is returned unchanged. */
export function cannotWrite(what: string, cause: unknown, hint: string): unknown {
  if (cause instanceof FacescanError || systemCode(cause) === undefined) return cause
  return new ConfigurationError(`cannot write ${what} (${systemReason(cause)})`, { hint, cause })
}
