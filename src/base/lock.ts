import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from './clock.ts'
import { ConfigurationError, systemCode } from './errors.ts'
import { inaccessible, makeOwnerDirectory, readOwnerFile, replaceFile } from './files.ts'

const leftoverAgeMs = 10_000
const lockAttempts = 200
/** Codes of temporary errors. ELOCKED: another process holds the lock. EPERM: on Windows, another process is removing the lock. */
const passing: ReadonlySet<string | undefined> = new Set(['ELOCKED', 'EPERM'])

/** Reads the random secret of this machine from a file that only its owner can read. Undefined if the file does not exist or is empty. */
export async function readSecret(path: string): Promise<string | undefined> {
  return (await readOwnerFile(path))?.trim() || undefined
}

/** The random secret of this machine. Creates the secret on the first call, unless another process creates it first. */
export async function ensureSecret(path: string, lock: string, bytes: number): Promise<string> {
  const create = async () => {
    const created = randomBytes(bytes).toString('hex')
    try {
      replaceFile(path, `${created}\n`)
    } catch (error) {
      throw inaccessible(path, 'write', error)
    }
    return created
  }
  const found = await readSecret(path)
  return found ?? withLock(dirname(path), lock, async () => (await readSecret(path)) ?? create())
}

/** Runs `work` while this process holds the lock. The lock of a process that died expires after 5 s. */
export async function withLock<T>(directory: string, name: string, work: () => Promise<T>): Promise<T> {
  makeOwnerDirectory(directory)
  const release = await acquireLock(directory, join(directory, `${name}.lock`))
  try {
    await removeLeftovers(directory)
    return await work()
  } finally {
    // Another process may have taken over the lock while this process was suspended, so errors from `release` are ignored.
    await release().catch(() => undefined)
  }
}

/** Acquires the lock. Waits at most about 20 s for another process. Throws immediately if the lock cannot be created. */
async function acquireLock(directory: string, lockfilePath: string): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile')
  const options = { lockfilePath, stale: 5_000, update: 1_000, onCompromised: () => undefined }
  for (let attempt = 1; ; attempt++) {
    try {
      return await lockfile.lock(directory, options)
    } catch (error) {
      if (attempt === lockAttempts || !passing.has(systemCode(error))) throw explainLock(lockfilePath, error)
      await sleep(backoffMs(attempt, { firstMs: 10, longestMs: 100 }))
    }
  }
}

function explainLock(lockfilePath: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  if (code !== 'ELOCKED') return inaccessible(lockfilePath, 'create', error)
  return new ConfigurationError(`another facescan command is using ${lockfilePath}`, {
    hint: 'Wait for that command to finish, then try again.',
    retryable: true,
  })
}

/** Removes temporary files of killed processes, which may contain a key. Keeps recent files, because a process may still write them. */
async function removeLeftovers(directory: string): Promise<void> {
  const leftovers = (await readdir(directory)).filter((name) => /\.tmp-[0-9a-f]{16}$/.test(name))
  for (const path of leftovers.map((name) => join(directory, name))) {
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(path, { force: true })
  }
}
