import { createHmac } from 'node:crypto'
import { createReadStream, existsSync, lstatSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ConfigurationError } from '../base/errors.ts'
import { cannotWrite } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import { ensureSecret, readSecret, withLock } from '../base/lock.ts'
import { assertOwnerOnly, look, type Paths, requireDirectory } from '../base/paths.ts'
import type { Entry } from './schemas.ts'

const rotateAtBytes = 1024 * 1024

/**
 * The existing files of the log, oldest first. Throws if other users can read or replace a file, or if a file is a symbolic link, a pipe,
 * or a directory.
 */
async function listLogFiles(directory: string): Promise<string[]> {
  const names: string[] = await readdir(directory).catch(() => [])
  // In this order, the numbers of the full files come first.
  const paths = names
    .filter((name) => /^history(-\d{9,})?\.ndjson$/.test(name))
    .toSorted()
    .map((name) => join(directory, name))
  for (const path of paths) {
    // Another process may rename log files at the same time.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new ConfigurationError(`cannot use the audit log: ${path} is not a regular file`, {
        hint: 'Move it to another directory.',
      })
    }
    assertOwnerOnly(path)
  }
  return paths
}

/** The entries of the log, oldest first. Undefined for a damaged line. */
export async function* readEntries({ state }: Paths): AsyncGenerator<Entry | undefined> {
  for (const path of state === undefined ? [] : await listLogFiles(state)) {
    // Another process may have renamed the file.
    if (!existsSync(path)) continue
    for await (const line of createInterface({ input: createReadStream(path) }))
      if (line !== '') yield parseLine(line)
  }
}

/** Appends complete lines to the log, and returns after they are on disk. */
export async function appendLines(paths: Paths, lines: string): Promise<void> {
  const directory = requireDirectory(paths, 'state')
  // A lock is needed because several machines can share a home directory, and NFS does not append in one step.
  await withLock(directory, 'history', async () => {
    await listLogFiles(directory)
    try {
      await append(directory, lines)
    } catch (error) {
      const hint = 'Check the free disk space and the file permissions.'
      throw cannotWrite(`the audit log in ${directory}`, error, hint)
    }
  })
}

async function append(directory: string, lines: string): Promise<void> {
  const path = join(directory, 'history.ndjson')
  if ((look(path)?.size ?? 0) >= rotateAtBytes)
    await rename(path, join(directory, `history-${Date.now()}.ndjson`))
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const end = Buffer.from('\n')
    await file.read(end, 0, 1, Math.max(0, size - 1))
    // A full disk or a power failure may have left part of a line, which must not be joined with the next line.
    await file.appendFile(end.toString() === '\n' ? lines : `\n${lines}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** An entry as a line with a line break. Texts have at most 255 characters, and no control characters. */
export function toLine(entry: object): string {
  const bounded = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replace(/[^\x20-\x7e\u00a1-\uffff]/g, '?').slice(0, 255) : value
  return `${JSON.stringify(entry, bounded)}\n`
}

/** Parses a line of the log. Undefined for a damaged line. Version 0.1 identified an entry by its number in the log. */
export function parseLine(text: string): Entry | undefined {
  const fields = fieldsOf(orUndefined(() => JSON.parse(text)))
  const { previous: _, hash: _hash, sequence, intent, id = intent ?? sequence, ...entry } = fields
  const isEntry = ['intent', 'user', 'outcome'].includes(String(entry['event'])) && id !== undefined
  return isEntry ? ({ ...entry, id: String(id) } as Entry) : undefined
}

/**
 * Opens the keyed hash that represents an external user ID in the log. Without a secret key, a short ID could be found by hashing all short
 * IDs. Undefined if there is no key and `create` is false.
 */
export async function openHash(
  paths: Paths,
  { create }: { create: boolean },
): Promise<((externalId: string) => string) | undefined> {
  const path = join(requireDirectory(paths, 'state'), 'history.key')
  const key = create ? await ensureSecret(path, 'history', 32) : await readSecret(path)
  return key === undefined
    ? undefined
    : (externalId) => createHmac('sha256', key).update(externalId).digest('hex').slice(0, 32)
}
