import { cannotWrite } from '../base/system/cannot-write.ts'

/** Says why a result file cannot be written, and what to do. */
export function refusing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      path,
      cause,
      'Make room or give permission there, or name another folder with --results DIR; then run the same command again.',
    )
  }
}

/** The same for the folder of an import, which holds what is known of it: in another one it would begin anew. */
export async function refusingState<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    throw cannotWrite(folder, cause, 'Make room or give permission there, then run the same command again.')
  }
}
