import { accessSync, constants, lstatSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError, RefusedError, systemReason, UsageError } from '../base/errors.ts'
import { replaceFile } from '../base/files.ts'
import type { Context } from '../framework/context.ts'

type Save = (bytes: Uint8Array | string) => Promise<void>

/**
 * Checks a path before anything is sent. Returns a function that writes the file for its owner only. Replacing a file needs confirmation.
 * Throws a UsageError if the path is not a regular file, such as a link or a pipe.
 */
export async function prepareFile(
  { ask, flags }: Pick<Context, 'ask' | 'flags'>,
  path: string,
): Promise<Save> {
  const found = explain(path, () => {
    accessSync(`${dirname(path)}/`, constants.W_OK)
    return lstatSync(path, { throwIfNoEntry: false })
  })
  if (found === undefined)
    return async (bytes) => explain(path, () => writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' }))
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file.' })
  if (!flags.yes && !ask.possible) {
    throw new UsageError(`${path} already exists`, {
      hint: 'Delete it, choose another file, or add --yes to replace it.',
    })
  }
  if (!flags.yes && !(await ask.confirm(`Replace ${path}?`)))
    throw new RefusedError(`canceled; ${path} was not changed`)
  return async (bytes) => explain(path, () => replaceFile(path, bytes))
}

function explain<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ConfigurationError(`cannot write ${path} (${systemReason(cause)})`, { cause })
  }
}
