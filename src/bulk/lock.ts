import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync } from 'node:fs'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Clock, span } from '../base/clock.ts'
import { ConfigurationError, FacescanError, RefusedError, systemCode, systemReason } from '../base/errors.ts'
import { isCreated, writeAll } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { describeProcess, hasEnded, type LockHolder } from './lock-holder.ts'
import { writeOrExplain } from './write-or-explain.ts'

export interface Lock {
  /** Aborted when another process has taken over the lock or the lock cannot be renewed. No further request may be sent then. */
  readonly lost: AbortSignal
  /** Renews the lock if that is overdue. Throws if another process has the lock. Call this before each request. */
  ensureHeld(): void
  release(): Promise<void>
}

export interface LockOptions {
  clock: Clock
  note(text: string): void
  /** Aborted to stop the wait. */
  signal?: AbortSignal | undefined
  /** Time in ms in which the service may still apply requests from the previous holder. */
  settleMs: number
}

const renewEveryMs = 5_000
const overdueMs = 20_000
/**
 * Time without renewal after which a lock expires if the process of its holder cannot be checked. The time is long, because network file
 * systems can show a renewal a minute late.
 */
const watchMs = 90_000
const watchEveryMs = 1_000

/**
 * Locks a directory for this process. Takes over a lock if its holder has certainly ended, or if the holder runs elsewhere and does not
 * renew its lock.
 */
export async function acquireLock(folder: string, options: LockOptions, self?: LockHolder): Promise<Lock> {
  const path = join(folder, 'lock')
  const holder = self ?? (await describeProcess(process.pid))
  const held = new HeldLock(path, holder, options.clock)
  let mustSettle = false
  try {
    // A hard link is created completely or not at all.
    while (!writeOrExplain(folder, () => isCreated(() => linkSync(held.ownPath, path))))
      mustSettle = (await takeOver(path, held.ownPath, options)) || mustSettle
  } catch (error) {
    held.close()
    throw error
  } finally {
    rmSync(held.ownPath, { force: true })
  }
  held.start()
  if (mustSettle) await settle(held, options)
  return held
}

/** Waits, because the service may still apply requests from a holder whose process cannot be checked. */
async function settle(held: Lock, { clock, note, signal, settleMs }: LockOptions): Promise<void> {
  note(`the lock was not renewed; waiting ${span(settleMs / 1000)} for the last requests of its holder`)
  try {
    await clock.sleep(settleMs, signal)
  } catch (error) {
    await held.release()
    throw error
  }
}

export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const path = join(folder, 'lock')
  const holder = parse(await readText(path))
  if (holder === undefined) return undefined
  const isGone = await hasEnded(holder)
  if (isGone !== undefined) return isGone ? undefined : holder
  const renewedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
  return Date.now() - renewedAt < watchMs ? holder : undefined
}

class HeldLock implements Lock {
  readonly ownPath: string
  readonly #path: string
  readonly #holder: LockHolder & { token: string }
  readonly #clock: Clock
  #fd: number | undefined
  readonly #loss = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #counter = 0
  #renewed: { at: number; time: number }

  constructor(path: string, holder: LockHolder, clock: Clock) {
    this.#path = path
    this.#holder = { ...holder, token: randomUUID() }
    this.#clock = clock
    this.ownPath = `${path}.${this.#holder.token}`
    this.#fd = writeOrExplain(path, () => openSync(this.ownPath, 'wx', 0o600))
    this.#renewed = this.#write()
  }

  get lost(): AbortSignal {
    return this.#loss.signal
  }

  start(): void {
    this.#timer = setInterval(() => this.#tryRenew(), renewEveryMs)
    this.#timer.unref()
  }

  ensureHeld(): void {
    this.lost.throwIfAborted()
    if (this.#ageMs() < overdueMs) return
    this.#tryRenew()
    if (this.#ageMs() >= overdueMs) this.#loss.abort(lostLock(this.#path))
    this.lost.throwIfAborted()
  }

  async release(): Promise<void> {
    this.close()
    if (this.#isOwn()) await rm(this.#path, { force: true })
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /**
   * Renews the lock: writes the lock and then reads it. A process that takes over the lock first renames the lock and then reads it. At
   * least one of the two processes therefore detects the other.
   */
  #tryRenew(): void {
    const renewed = orUndefined(() => this.#write())
    if (renewed === undefined) return
    if (this.#isOwn()) this.#renewed = renewed
    else this.#loss.abort(lostLock(this.#path))
  }

  /** Writes to the open file, not to the path, which may belong to another process. Returns the time before the write. */
  #write(): { at: number; time: number } {
    const before = { at: this.#clock.monotonic(), time: this.#clock.now() }
    const counter = String(++this.#counter).padStart(12, '0')
    if (this.#fd === undefined) throw new Error('the lock is closed')
    writeAll(this.#fd, Buffer.from(JSON.stringify({ ...this.#holder, counter })), 0)
    fsyncSync(this.#fd)
    return before
  }

  #isOwn(): boolean {
    const text = orUndefined(() => readFileSync(this.#path, 'utf8'))
    return text?.includes(this.#holder.token) ?? false
  }

  /**
   * Age of the lock by the monotonic clock or by the time of day, whichever is larger. The monotonic clock stops while the machine is
   * suspended.
   */
  #ageMs(): number {
    const { at, time } = this.#renewed
    return Math.max(this.#clock.monotonic() - at, this.#clock.now() - time)
  }
}

/** Removes a lock whose holder has ended. Throws if the holder runs. Returns true if requests of the holder may still be applied. */
async function takeOver(path: string, ownPath: string, options: LockOptions): Promise<boolean> {
  const text = await readLock(path)
  if (text === undefined) return false
  const holder = parse(text)
  const isGone = text === '' || (holder === undefined ? undefined : await hasEnded(holder))
  if (isGone === false) throw heldBy(holder, path)
  if (isGone === undefined) await watch(path, text, holder, options)
  const aside = `${ownPath}.stale`
  await rename(path, aside).catch((cause: unknown) => {
    if (systemCode(cause) !== 'ENOENT') throw cannotUse(path, cause)
  })
  const isSame = (await readText(aside)) === text
  // The holder renewed its lock, or another process took the lock, between the read and the rename. The lock is therefore restored.
  if (!isSame) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
  return isSame && isGone === undefined
}

/** The text of the lock. Undefined if no process has the lock. */
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

/**
 * Watches the lock for `watchMs` and throws if it is renewed. Opens the file each time, because a network file system caches open files.
 */
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

function lostLock(path: string): FacescanError {
  return new FacescanError('import_stopped', 'another process may have started to use the same files', {
    hint: `This process did not renew its lock in time (${path}). Run the same command again to resume.`,
    retryable: true,
  })
}

function parse(text: string | undefined): LockHolder | undefined {
  return orUndefined((): LockHolder => JSON.parse(text ?? ''))
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
