import { cannotWrite } from '../base/system/system-code.ts'

export function refusing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      path,
      cause,
      'Check the free space and the permissions, or choose another directory with --results, then run the same command again.',
    )
  }
}

/** Suggests no other folder: there, the import would start over. */
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
