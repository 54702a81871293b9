import { tmpdir } from 'node:os'
import { ConfigurationError } from './errors.ts'
import { systemCode } from './system-code.ts'

/** Writes in the system's folder for temporary files; one that is missing or full becomes what a person can mend. */
export function writeTemporary<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw new ConfigurationError(
      `cannot write temporary files in ${tmpdir()} (${systemCode(cause) ?? 'unknown'})`,
      {
        hint: 'Free some space there, or set TMPDIR to another folder; an import needs room for twice its input.',
        cause,
      },
    )
  }
}
