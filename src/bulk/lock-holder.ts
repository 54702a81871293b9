import { link, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Clock, span } from '../base/clock.ts'
import { ConfigurationError, RefusedError, systemCode, systemReason } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import { isRunning } from '../base/process.ts'

/** The process that holds a lock. A later process can have the same process ID, but not the same boot ID and start time. */
export interface LockHolder {
  host: string
  pid: number
  bootId: string
  /** PID namespace. In another namespace, such as a container, the same process ID belongs to a different process. */
  pidNamespace: string
  startedAt: string
}

export interface LockOptions {
  clock: Clock
  note(text: string): void
  signal?: AbortSignal | undefined
  /** Time in ms in which the service may still apply requests from the previous holder. */
  settleMs: number
}

/** Time without renewal after which a lock expires. Network file systems can show a renewal a minute late. */
const watchMs = 90_000

/** The process that holds the lock of this directory. Undefined if no running process holds the lock. */
export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const path = join(folder, 'lock')
  const holder = parseHolder(await readText(path))
  if (holder === undefined) return undefined
  const isGone = await hasEnded(holder)
  if (isGone !== undefined) return isGone ? undefined : holder
  const renewedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
  return Date.now() - renewedAt < watchMs ? holder : undefined
}

function parseHolder(text: string | undefined): LockHolder | undefined {
  return orUndefined((): LockHolder => JSON.parse(text ?? ''))
}

/**
 * Whether the process has ended. Undefined if this cannot be checked: another PID namespace or machine, or a restarted machine with the
 * same name.
 */
export async function hasEnded(holder: LockHolder): Promise<boolean | undefined> {
  const self = await describeProcess(process.pid)
  const isSamePlace = holder.bootId === self.bootId && holder.pidNamespace === self.pidNamespace
  // Without a boot ID (not on Linux), only the host name identifies the machine.
  if (!isSamePlace || (self.bootId === '' && holder.host !== self.host)) return undefined
  if (!isRunning(holder.pid)) return true
  const now = await describeProcess(holder.pid)
  // On Linux, a process whose state is Z or X has exited, but its parent has not collected it yet.
  return now.startedAt !== holder.startedAt || /^[ZX]/.test((await readStat(holder.pid)) ?? '')
}

/** The fields after the name in /proc/PID/stat. The name is in parentheses and may contain spaces. */
async function readStat(pid: number): Promise<string | undefined> {
  const text = await readText(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2)
}

/** On systems other than Linux, boot ID, namespace, and start time are empty, and only the process ID is compared. */
export async function describeProcess(pid: number): Promise<LockHolder> {
  const bootId = (await readText('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  const startedAt = (await readStat(pid))?.split(' ')[19] ?? ''
  return { host: hostname(), pid, bootId, pidNamespace, startedAt }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

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
  // Between the read and the rename, the holder renewed its lock, or another process took the lock. The lock is therefore restored.
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

/** Throws if the holder renews the lock within `watchMs`. Opens the file each time, because a network file system caches open files. */
async function watch(
  path: string,
  text: string,
  holder: LockHolder | undefined,
  options: LockOptions,
): Promise<void> {
  const { clock, note, signal } = options
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'an unknown process'
  note(
    `${who} may be using the same files; waiting up to ${span(watchMs / 1000)} to see whether it is running`,
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
