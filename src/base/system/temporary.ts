import { tmpdir } from 'node:os'
import { cannotWrite } from './system-code.ts'

/** Writes to the temporary directory. If it is missing or full, throws an error with a hint. */
export function writeTemporary<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      `temporary files in ${tmpdir()}`,
      cause,
      'Free up disk space, or set TMPDIR to another directory. An import needs free space equal to twice the size of its input.',
    )
  }
}
