import { tmpdir } from 'node:os'
import { cannotWrite } from './cannot-write.ts'

/** Writes in the system's folder for temporary files; one that is missing or full becomes what a person can mend. */
export function writeTemporary<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      `temporary files in ${tmpdir()}`,
      cause,
      'Free some space there, or set TMPDIR to another folder; an import needs room for twice its input.',
    )
  }
}
