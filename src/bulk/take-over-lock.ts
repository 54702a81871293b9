import { link, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { span } from '../base/clock.ts'
import { ConfigurationError, RefusedError, systemCode, systemReason } from '../base/errors.ts'
import { hasEnded, type LockHolder, type LockOptions, parseHolder, readText, watchMs } from './lock-holder.ts'

const watchEveryMs = 1_000

/** Removes a lock whose holder has ended. Throws if the holder is running. Returns true if requests of the holder may still be applied. */
export async function takeOver(path: string, ownPath: string, options: LockOptions): Promise<boolean> {
  const text = await readLock(path)
  if (text === undefined) return false
  const holder = parseHolder(text)
  const isGone = text === '' || (holder === undefined ? undefined : await hasEnded(holder))
  if (isGone === false) throw heldBy(holder, path)
  if (isGone === undefined) await watch(path, text, holder, options)
  const aside = `${ownPath}.stale`
  await rename(path, aside).catch((cause: unknown) => {
    if (systemCode(cause) !== 'ENOENT') throw cannotUse(path, cause)
  })
  const isSame = (await readText(aside)) === text
  // If the lock was renewed or replaced after it was read, the renamed file gets its old name again.
  if (!isSame) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
  return isSame && isGone === undefined
}

function readLock(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw cannotUse(path, cause)
  })
}

function cannotUse(path: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(`cannot use the lock ${path} (${systemReason(cause)})`, {
    hint: 'Check the permissions of the directory.',
    cause,
  })
}

/** Throws if the holder renews the lock within `watchMs`. Opens the file for each read, because network file systems cache open files. */
async function watch(
  path: string,
  text: string,
  holder: LockHolder | undefined,
  options: LockOptions,
): Promise<void> {
  const { clock, note, signal } = options
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'an unknown process'
  note(
    `${who} may be using the same files; waiting up to ${span(watchMs / 1000)} to see whether that process is running`,
  )
  for (const until = clock.monotonic() + watchMs; clock.monotonic() < until; ) {
    await clock.sleep(watchEveryMs, signal)
    const now = await readLock(path)
    if (now === undefined) return
    if (now !== text) throw heldBy(holder, path)
  }
}

function heldBy(holder: LockHolder | undefined, path: string): RefusedError {
  const where = holder?.host === hostname() ? 'on this machine' : `on ${holder?.host}`
  const who = holder ? `process ${holder.pid} ${where}` : 'another process'
  return new RefusedError(`${who} is already using the same files`, {
    hint: `Wait for the process to finish. The lock is ${path}`,
  })
}
