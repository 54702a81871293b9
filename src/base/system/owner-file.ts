import { readFileSync, type Stats, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../errors.ts'
import { makeDirectory } from './make-directory.ts'
import { systemCode } from './system-code.ts'

const ownerOnlyFile = 0o600
const leftoverAgeMs = 10_000
const lockAttempts = 200
/** Windows says EPERM of a lock that is being removed. */
const passing: ReadonlySet<string | undefined> = new Set(['ELOCKED', 'EPERM'])

/** Says what is wrong with the mode of a file or directory and how to mend it; undefined where all is well or absent. */
export async function findModeProblem(path: string): Promise<{ message: string; fix: string } | undefined> {
  if (process.platform === 'win32') return undefined
  const found = look(path)
  if (!found) return undefined
  if (process.getuid && found.uid !== process.getuid() && process.getuid() !== 0) {
    return { message: `${path} belongs to another user`, fix: `chown $(id -u) '${path}'` }
  }
  // Listing a directory gives nothing away, but writing to it would let others put a file of theirs in place.
  const forbidden = found.isDirectory() ? 0o022 : 0o077
  if ((found.mode & forbidden) === 0) return undefined
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  const wanted = found.isDirectory() ? '700' : '600'
  return { message: `${path} is open to other users (mode ${mode})`, fix: `chmod ${wanted} '${path}'` }
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** The text of an owner-only file, undefined where it does not exist. Refuses modes that let others in. */
export async function readOwnerFile(path: string): Promise<string | undefined> {
  for (const place of [dirname(path), path]) {
    const problem = await findModeProblem(place)
    if (problem) throw new ConfigurationError(problem.message, { hint: `Run: ${problem.fix}` })
  }
  try {
    // Whoever opens a named pipe waits for its other end, and hears no Ctrl-C meanwhile.
    if (look(path)?.isFIFO()) throw Object.assign(new Error(), { code: 'a named pipe' })
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw inaccessible(path, 'read', error)
  }
}

function inaccessible(
  path: string,
  done: 'read' | 'written' | 'created',
  error: unknown,
): ConfigurationError {
  return new ConfigurationError(`${path} cannot be ${done} (${systemCode(error) ?? 'unknown error'})`, {
    hint: 'Look at the space and the permissions there, or set FACESCAN_CONFIG_DIR and FACESCAN_STATE_DIR to other directories.',
  })
}

/**
 * Replaces a file in one step: whoever reads sees the old text or the new one, also after a crash. A symbolic link stays
 * a link and its target is replaced. Call it inside `withLock`.
 */
export async function writeOwnerFile(path: string, text: string): Promise<void> {
  const { writeFile } = await import('atomically')
  try {
    await writeFile(path, text, { mode: ownerOnlyFile })
  } catch (error) {
    throw inaccessible(path, 'written', error)
  }
}

/** Creates a directory that only its owner can enter. */
async function makeOwnerDirectory(path: string): Promise<void> {
  try {
    makeDirectory(path)
  } catch (error) {
    throw inaccessible(path, 'created', error)
  }
}

/** Runs `work` while no other process holds the same lock; the lock of a process that died is taken over after 5 s. */
export async function withLock<T>(directory: string, name: string, work: () => Promise<T>): Promise<T> {
  await makeOwnerDirectory(directory)
  const release = await acquireLock(directory, join(directory, `${name}.lock`))
  try {
    await removeLeftovers(directory)
    return await work()
  } finally {
    // The lock may have been taken over while this process was suspended; there is nothing left to release then.
    await release().catch(() => undefined)
  }
}

/** Waits for about 20 s while another process holds the lock; a lock that cannot be made at all is reported at once. */
async function acquireLock(directory: string, lockfilePath: string): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile')
  const options = { lockfilePath, stale: 5_000, update: 1_000, onCompromised: () => undefined }
  for (let attempt = 1; ; attempt++) {
    try {
      return await lockfile.lock(directory, options)
    } catch (error) {
      if (attempt === lockAttempts || !passing.has(systemCode(error))) throw explainLock(lockfilePath, error)
      await sleep(Math.min(100, 10 * 1.2 ** attempt))
    }
  }
}

function explainLock(lockfilePath: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  if (code !== 'ELOCKED') return inaccessible(lockfilePath, 'created', error)
  return new ConfigurationError(`another facescan command has been holding ${lockfilePath} for too long`, {
    hint: 'Wait for it to end and try again.',
    retryable: true,
  })
}

/**
 * A process that was killed while writing leaves its temporary file, which may hold a key. A young one may belong to a
 * process that is writing another file of the directory right now.
 */
async function removeLeftovers(directory: string): Promise<void> {
  const leftovers = (await readdir(directory)).filter((name) => /\.tmp-[0-9a-f]{16}$/.test(name))
  for (const path of leftovers.map((name) => join(directory, name))) {
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(path, { force: true })
  }
}
