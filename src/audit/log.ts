import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import { cannotWrite } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { withLock } from '../base/lock.ts'
import { look, type Paths, requireDirectory } from '../base/paths.ts'
import { AuditCommand } from './audit-command.ts'
import { boundText, type Change, type Entry, listLogFiles, logName, noChange } from './changes.ts'

const rotateAtBytes = 1024 * 1024

/** Facts about a change before it is made. They contain no secrets and no personal data. */
export type ChangeFacts = Omit<Entry, 'id' | 'event'>

export type ChangeResult = Partial<Change> & { outcome: Exclude<Change['outcome'], 'started'> }

export type EndEntry = (result: ChangeResult) => Promise<void>

export interface AuditLogOptions {
  paths: Paths
  env: Environment
  clock: Pick<Clock, 'now'>
  /** Shell command of the profile that receives each entry. */
  auditCommand?: string | undefined
  facts: ChangeFacts
}

export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #command: AuditCommand | undefined
  #waiting = ''
  #next: Promise<void> | undefined
  #previous: Promise<unknown> = Promise.resolve()
  /** The first error of a write that no caller waited for. */
  #failure: FacescanError | undefined
  #isReported = false

  private constructor(options: AuditLogOptions) {
    this.#options = options
    const { auditCommand, env } = options
    this.#command = auditCommand === undefined ? undefined : new AuditCommand(auditCommand, env)
  }

  /** Starts the audit command of the profile. Throws if it ends at once. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const log = new AuditLog(options)
    await log.#command?.start()
    log.assertOpen()
    return log
  }

  /**
   * Writes the intent (the planned change) to disk and passes it to the audit command. If this function throws, the change must not be
   * made.
   */
  async begin(facts: ChangeFacts = {}): Promise<EndEntry> {
    const intent = this.#toIntent(facts)
    const end: EndEntry = (result) =>
      this.#write({ event: 'outcome', time: timeOf(this.#options.clock), intent: intent.id, ...result })
    await this.#write(intent)
    if (this.#findFailure()) await end({ outcome: 'not sent' })
    this.assertOpen()
    return end
  }

  /**
   * Adds the entry for one user of a list after the change, without waiting for the disk. A request that changed nothing has no entry. If
   * the write fails, the next call of `assertOpen` throws.
   */
  addUser(facts: ChangeFacts, result: ChangeResult): void {
    if (result.outcome !== 'done' && result.outcome !== 'unknown') return
    this.#write({ ...this.#toIntent(facts), event: 'user', ...result }).catch(({ message }: Error) => {
      const text = `${message}; no new request was sent`
      this.#failure ??= new FacescanError('import_stopped', text, { applied: 'no' })
    })
  }

  /** Throws if no further request may be sent, because the audit command has ended or an entry could not be written. */
  assertOpen(): void {
    const failure = this.#findFailure()
    this.#isReported = failure !== undefined
    if (failure) throw failure
  }

  /**
   * Waits until all entries are written. Throws if an entry could not be written, or if the audit command did not accept all entries. An
   * error that was already thrown is not thrown again.
   */
  async close(): Promise<void> {
    await this.#previous
    const failure = (await this.#command?.close()) ?? this.#failure
    if (failure && !this.#isReported) throw failure
  }

  #findFailure(): FacescanError | undefined {
    return this.#failure ?? this.#command?.failure
  }

  #toIntent(facts: ChangeFacts): Entry {
    return toIntent(this.#options.clock, { ...this.#options.facts, ...facts })
  }

  /** Writes an entry. Entries that are added during a write are written together afterward. */
  #write(entry: object): Promise<void> {
    this.#waiting += toLine(entry)
    this.#next ??= this.#previous.then(async () => {
      const lines = this.#waiting
      this.#waiting = ''
      this.#next = undefined
      await appendLines(this.#options.paths, lines)
      await this.#command?.send(lines)
    })
    this.#previous = this.#next.catch(() => undefined)
    return this.#next
  }
}

/**
 * Passes the entry about the new audit command to this command, and throws if the command fails. If a failing command were stored, no
 * change would be possible.
 */
export async function tryAuditCommand(
  command: string,
  { env, clock, facts }: AuditLogOptions,
): Promise<void> {
  const tried = new AuditCommand(command, env)
  await tried.start()
  await tried.send(toLine(toIntent(clock, facts)))
  const failure = await tried.close()
  if (!failure) return
  throw new RefusedError(failure.message, {
    hint: 'Run the command yourself. It must exit with code 0 when its input ends.',
  })
}

export function toIntent(clock: Pick<Clock, 'now'>, facts: ChangeFacts): Entry {
  const { outcome: _, ...blank } = noChange
  return {
    event: 'intent',
    ...(blank as object),
    id: randomBytes(8).toString('hex'),
    time: timeOf(clock),
    // In a container, the operating system may have no name for the user, so the numeric ID of the system user is logged.
    os_user: orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`,
    ...facts,
  }
}

function timeOf(clock: Pick<Clock, 'now'>): string {
  return new Date(clock.now()).toISOString()
}

export function toLine(entry: object): string {
  return `${JSON.stringify(entry, boundText)}\n`
}

/** Appends complete lines to the log, and returns after they are on disk. A full file is renamed first. */
async function appendLines(paths: Paths, lines: string): Promise<void> {
  const directory = requireDirectory(paths, 'state')
  // The lock is needed because several machines can share a home directory over NFS, and NFS does not append in one step.
  await withLock(directory, 'history', async () => {
    await listLogFiles(directory)
    const path = join(directory, logName)
    try {
      if ((look(path)?.size ?? 0) >= rotateAtBytes)
        await rename(path, join(directory, `history-${Date.now()}.ndjson`))
      await append(path, lines)
    } catch (error) {
      const hint = 'Check the free disk space and the file permissions.'
      throw cannotWrite(`the audit log in ${directory}`, error, hint)
    }
  })
}

async function append(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const end = Buffer.from('\n')
    await file.read(end, 0, 1, Math.max(0, size - 1))
    // A power failure may have left an incomplete line. It must not be joined with the next line.
    await file.appendFile(end.toString() === '\n' ? lines : `\n${lines}`).catch(async (error) => {
      // Removes the incomplete line that a write to a full disk leaves.
      await file.truncate(size).catch(() => undefined)
      throw error
    })
    await file.sync()
  } finally {
    await file.close()
  }
}
