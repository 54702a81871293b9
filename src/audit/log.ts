import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { AuditCommand } from './audit-command.ts'
import { appendLines, toLine } from './log-file.ts'
import type { ChangeFacts, ChangeResult } from './schemas.ts'

interface AuditLogOptions {
  paths: Paths
  env: Environment
  clock: Pick<Clock, 'now'>
  /** Shell command of the profile that receives each entry. */
  auditCommand?: string | undefined
  facts: ChangeFacts
}

/** Writes how a change ended. */
export type EndEntry = (result: ChangeResult) => Promise<void>

const noFacts = {
  profile: null,
  host: null,
  fingerprint: null,
  command: '',
  method: null,
  path: null,
  user_id: null,
  external_id_hash: null,
  detail: null,
  reason: null,
}
const noResult = { status: null, request_id: null, user_id: null, detail: null }

type Intent = ReturnType<typeof toIntent>

/** The intent of a change, as an entry. */
export function toIntent(nowMs: number, { is_import = false, ...facts }: ChangeFacts) {
  const id = randomBytes(8).toString('hex')
  // In a container, the user of the operating system can have no name.
  const os_user = orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`
  const time = new Date(nowMs).toISOString()
  return { event: 'intent', id, time, os_user, ...noFacts, ...facts, is_import }
}

/** The audit log of one command. */
export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #command: AuditCommand | undefined
  #waiting = ''
  #next: Promise<void> | undefined
  #previous: Promise<unknown> = Promise.resolve()
  /** The error of the first entry of a list that could not be written. */
  #failure: FacescanError | undefined
  #isReported = false

  private constructor(options: AuditLogOptions, command: AuditCommand | undefined) {
    this.#options = options
    this.#command = command
  }

  /** Starts the audit command of the profile. Throws if it ends at once. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const { auditCommand, env } = options
    if (auditCommand === undefined) return new AuditLog(options, undefined)
    const { AuditCommand } = await import('./audit-command.ts')
    return new AuditLog(options, await AuditCommand.start(auditCommand, env))
  }

  /**
   * Writes the intent of a change (its planned request) to disk and passes it to the audit command. If this function throws, the change
   * must not be made. A change to one user of a list has only one entry, which is written when the change ends, without waiting for the
   * disk.
   */
  async begin(facts: ChangeFacts = {}, isOneOfMany = false): Promise<EndEntry> {
    const { clock, facts: shared } = this.#options
    const now = () => new Date(clock.now()).toISOString()
    const intent = toIntent(clock.now(), { ...shared, ...facts })
    if (isOneOfMany) return async (result) => this.#addUser({ ...intent, time: now() }, result)
    const end: EndEntry = (result) =>
      this.#write({ event: 'outcome', time: now(), intent: intent.id, ...noResult, ...result })
    await this.#write(intent)
    try {
      this.assertOpen()
    } catch (error) {
      await end({ outcome: 'not sent' })
      throw error
    }
    return end
  }

  /** Throws if no further request may be sent, because the audit command has ended or an entry could not be written. */
  assertOpen(): void {
    const failure = this.#failure ?? this.#command?.failure
    this.#isReported = failure !== undefined
    if (failure) throw failure
  }

  /** Waits for all entries. Throws, unless already reported, if an entry was not written or not accepted by the audit command. */
  async close(): Promise<void> {
    await this.#previous
    const failure = (await this.#command?.close()) ?? this.#failure
    if (failure && !this.#isReported) throw failure
  }

  /** Adds the entry of one user in a list. A request that changed nothing has no entry. */
  #addUser({ is_import: _, ...change }: Intent, result: ChangeResult): void {
    if (result.outcome !== 'done' && result.outcome !== 'unknown') return
    this.#write({ ...change, event: 'user', status: null, request_id: null, ...result }).catch(
      ({ message }: Error) => {
        const text = `${message}; no new request was sent`
        this.#failure ??= new FacescanError('import_stopped', text, { applied: 'no' })
      },
    )
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
