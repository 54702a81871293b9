import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, span } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import { isCreated, writeAll } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import { describeProcess, type LockHolder, type LockOptions } from './lock-holder.ts'
import { writeOrExplain } from './write-or-explain.ts'

export type Lock = Pick<HeldLock, 'lost' | 'ensureHeld' | 'release'>

const renewEveryMs = 5_000
const overdueMs = 20_000

/** Acquires a lock. Takes over a lock whose holder has certainly ended, or cannot be checked and does not renew the lock. */
export async function acquireLock(folder: string, options: LockOptions, self?: LockHolder): Promise<Lock> {
  const { clock, note, signal, settleMs } = options
  const path = join(folder, 'lock')
  const holder = self ?? (await describeProcess(process.pid))
  const held = new HeldLock(path, holder, clock)
  let mustSettle = false
  try {
    // A hard link appears in one step, so the lock file never exists without its content.
    while (!writeOrExplain(folder, () => isCreated(() => linkSync(held.ownPath, path)))) {
      const { takeOver } = await import('./take-over-lock.ts')
      mustSettle = (await takeOver(path, held.ownPath, options)) || mustSettle
    }
  } catch (error) {
    await held.release()
    throw error
  } finally {
    rmSync(held.ownPath, { force: true })
  }
  held.start()
  if (!mustSettle) return held
  // The previous holder could not be checked, so the service may still apply its requests.
  const wait = span(settleMs / 1000)
  note(`the lock was not renewed; waiting ${wait} for the last requests of the process that held the lock`)
  await clock.sleep(settleMs, signal).catch(async (error: unknown) => {
    await held.release()
    throw error
  })
  return held
}

class HeldLock {
  readonly ownPath: string
  readonly #path: string
  readonly #holder: LockHolder & { token: string }
  readonly #clock: Clock
  #fd: number | undefined
  readonly #loss = new AbortController()
  /** Aborted when another process has taken over the lock, or when the lock cannot be renewed. */
  readonly lost = this.#loss.signal
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

  start(): void {
    this.#timer = setInterval(() => this.#tryRenew(), renewEveryMs)
    this.#timer.unref()
  }

  /** Renews the lock if the renewal is overdue. Throws if another process has the lock. Call this method before each request. */
  ensureHeld(): void {
    this.lost.throwIfAborted()
    if (this.#ageMs() < overdueMs) return
    this.#tryRenew()
    if (this.#ageMs() >= overdueMs) this.#loss.abort(lostLock(this.#path))
    this.lost.throwIfAborted()
  }

  /** Releases the lock. If the file cannot be removed, the next process takes over the lock, because this process has ended by then. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    if (this.#isOwn()) await rm(this.#path, { force: true }).catch(() => undefined)
  }

  /**
   * Writes the lock, and then reads it. A process that takes over the lock renames it, and then reads it. So at least one of the two
   * processes detects the other process.
   */
  #tryRenew(): void {
    const renewed = orUndefined(() => this.#write())
    if (renewed === undefined) return
    if (this.#isOwn()) this.#renewed = renewed
    else this.#loss.abort(lostLock(this.#path))
  }

  /** Writes to the open file, because the file at the path may belong to another process. Returns the time before the write. */
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

  /** Time in ms since the last renewal. The monotonic clock stops while the machine is suspended, so the time of day is also used. */
  #ageMs(): number {
    const { at, time } = this.#renewed
    return Math.max(this.#clock.monotonic() - at, this.#clock.now() - time)
  }
}

function lostLock(path: string): FacescanError {
  return new FacescanError('import_stopped', 'another process may have started to use the same files', {
    hint: `This process did not renew its lock in time (${path}). Run the same command again to resume.`,
    retryable: true,
  })
}
