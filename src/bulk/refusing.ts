import { cannotWrite } from '../base/system/cannot-write.ts'

/** Explains why a result file cannot be written, with a hint. */
export function refusing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      path,
      cause,
      'Check the free space and the permissions, or choose another directory with --results DIR, then run the same command again.',
    )
  }
}

/** Explains why the state folder of an import cannot be written. Another folder is not an option: the import would start over. */
export async function refusingState<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    throw cannotWrite(
      folder,
      cause,
      'Check the free space and the permissions, then run the same command again.',
    )
  }
}
