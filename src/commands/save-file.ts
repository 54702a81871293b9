import { randomBytes } from 'node:crypto'
import { accessSync, constants, lstatSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigurationError, RefusedError, systemReason, UsageError } from '../base/errors.ts'
import type { Context } from '../framework/context.ts'

type Save = (bytes: Uint8Array | string) => Promise<void>

/**
 * Checks a file that a person names, before anything is sent, and returns the function that writes it. The file is new and readable
 * by its owner only. An existing file is replaced only if the person agrees, and a link, a pipe, or a device is refused.
 */
export async function prepareFile(
  { ask, flags }: Pick<Context, 'ask' | 'flags'>,
  path: string,
): Promise<Save> {
  const found = explain(path, () => {
    accessSync(`${dirname(path)}/`, constants.W_OK)
    return lstatSync(path, { throwIfNoEntry: false })
  })
  if (found === undefined) return (bytes) => create(path, bytes, path)
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, { hint: 'Choose another file.' })
  if (!flags.yes && !ask.possible) {
    throw new UsageError(`${path} already exists`, {
      hint: 'Delete it, choose another file, or add --yes to replace it.',
    })
  }
  if (!flags.yes && !(await ask.confirm(`Replace ${path}?`)))
    throw new RefusedError(`canceled; ${path} was not changed`)
  return (bytes) => replace(path, bytes)
}

/** Replaces the file in one step: a reader sees the old or the new content. */
async function replace(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.partial`
  await create(temporary, bytes, path)
  try {
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cannotWrite(path, cause)
  }
}

async function create(file: string, bytes: Uint8Array | string, path: string): Promise<void> {
  try {
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
}

function explain<T>(path: string, look: () => T): T {
  try {
    return look()
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
}

function cannotWrite(path: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(`cannot write ${path} (${systemReason(cause)})`, { cause })
}
