import { createHmac } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { open, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import { cannotWrite } from '../base/files.ts'
import { ensureSecret, readSecret, withLock } from '../base/lock.ts'
import { assertOwnerOnly, type Paths, requireDirectory } from '../base/paths.ts'

const rotateAtBytes = 1024 * 1024

const logPath = (directory: string): string => join(directory, 'history.ndjson')

/** The files of the log, oldest first. The last one may not exist. */
export async function listLogFiles(directory: string): Promise<string[]> {
  const names: string[] = await readdir(directory).catch(() => [])
  const rotated = names.filter((name) => /^history-\d{9,}\.ndjson$/.test(name))
  const ordered = rotated.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
  return [...ordered.map((name) => join(directory, name)), logPath(directory)]
}

/** Throws if other users can read or replace a file of the log, or if it is a symbolic link, a pipe, or a directory. */
export async function assertOwnLog(directory: string): Promise<void> {
  for (const path of await listLogFiles(directory)) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new ConfigurationError(
        `cannot write the audit log: ${path} is not a regular file; changes are not possible without an audit log`,
        { hint: 'Find out who created this file, then move it to another directory.' },
      )
    }
    assertOwnerOnly(path)
  }
}

/** Appends complete lines to the log. `flush`: returns after they are on disk. */
export async function appendLines(paths: Paths, lines: string, flush: boolean): Promise<void> {
  const directory = requireDirectory(paths, 'state')
  // A home directory can be shared by several machines, and NFS does not append in one step.
  await withLock(directory, 'history', async () => {
    await assertOwnLog(directory)
    try {
      await rotate(directory)
      await appendText(logPath(directory), lines, flush)
    } catch (error) {
      const hint = 'Check the free disk space and the file permissions.'
      throw cannotWrite(`the audit log in ${directory}`, error, hint)
    }
  })
}

/** Appends the entire text or nothing: a full disk must not leave a part of a line. */
async function appendText(path: string, text: string, flush: boolean): Promise<void> {
  const { size, isTorn } = await findEnd(path)
  try {
    await writeFile(path, isTorn ? `\n${text}` : text, { flag: 'a', mode: 0o600, flush })
  } catch (error) {
    await truncate(path, size).catch(() => undefined)
    throw error
  }
}

/** A process that was killed may have left a part of a line. The next line must not continue it. */
async function findEnd(path: string): Promise<{ size: number; isTorn: boolean }> {
  if (!existsSync(path)) return { size: 0, isTorn: false }
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return { size, isTorn: bytesRead === 1 && buffer.toString() !== '\n' }
  } finally {
    await file.close()
  }
}

async function rotate(directory: string): Promise<void> {
  const current = await stat(logPath(directory)).catch(() => undefined)
  if (current && current.size >= rotateAtBytes)
    await rename(logPath(directory), join(directory, `history-${Date.now()}.ndjson`))
}

/**
 * The keyed hash that stands for an external user ID in the log. Without the key, a short ID could be found by hashing all
 * of them. Undefined if there is no key yet and `create` is false.
 */
export async function hashExternalId(
  paths: Paths,
  externalId: string,
  { create }: { create: boolean },
): Promise<string | undefined> {
  const key = await readHashKey(paths, { create })
  return key && hashWithKey(key, externalId)
}

export function readHashKey(paths: Paths, { create }: { create: boolean }): Promise<string | undefined> {
  const path = join(requireDirectory(paths, 'state'), 'history.key')
  return create ? ensureSecret(path, 'history', 32) : readSecret(path)
}

export function hashWithKey(key: string, externalId: string): string {
  return createHmac('sha256', key).update(externalId).digest('hex').slice(0, 32)
}
