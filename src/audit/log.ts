import type { Clock } from '../base/clock.ts'
import { once } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { AuditCommand } from './audit-command.ts'
import { type ChangeFacts, type ChangeResult, toIntent, toLine, toOutcome, toUserChange } from './entry.ts'
import { appendLines } from './files.ts'

interface AuditLogOptions {
  paths: Paths
  env: Environment
  clock: Pick<Clock, 'now' | 'sleep'>
  /** Shell command of the profile that receives each entry. */
  auditCommand?: string | undefined
  facts: ChangeFacts
}

export type EndEntry = (result: ChangeResult) => Promise<void>

/** The audit log of one command. */
export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #start: () => Promise<AuditCommand | undefined>
  #command: AuditCommand | undefined
  #waiting = ''
  /** Lines of users in a list. After a failed write, they are written again with the next entry. */
  #users = ''
  #next: Promise<void> | undefined
  #previous: Promise<unknown> = Promise.resolve()

  constructor(options: AuditLogOptions) {
    this.#options = options
    const { auditCommand } = options
    this.#start = once(async () => {
      if (auditCommand === undefined) return undefined
      const { AuditCommand } = await import('./audit-command.ts')
      this.#command = await AuditCommand.start(auditCommand, options)
      return this.#command
    })
  }

  /** Writes the intent of a change to disk and passes it to the audit command. If this throws, the change must not be made. */
  async begin(facts: ChangeFacts = {}): Promise<EndEntry> {
    const { clock, facts: shared } = this.#options
    const command = await this.#start()
    command?.assertRunning()
    const intent = toIntent(clock.now(), { ...shared, ...facts })
    const end: EndEntry = (result) => this.#write(toLine(toOutcome(clock.now(), intent.id, result)))
    await this.#write(toLine(intent))
    try {
      command?.assertRunning()
    } catch (error) {
      await end({ outcome: 'not sent' })
      throw error
    }
    return end
  }

  /** Throws if the audit command has ended, because no further request of a list may be sent then. */
  assertOpen(): void {
    this.#command?.assertRunning()
  }

  /** Adds the entry of one changed user in a list, without waiting for the disk. */
  add(facts: ChangeFacts, result: ChangeResult): void {
    const { clock, facts: shared } = this.#options
    this.#users += toLine(toUserChange(clock.now(), { ...shared, ...facts }, result))
    // `close` reports the error.
    this.#write().catch(() => undefined)
  }

  /** Writes the remaining entries. Throws if an entry could not be written or the audit command did not accept all entries. */
  async close(): Promise<void> {
    try {
      await this.#write()
    } finally {
      await this.#command?.close()
    }
  }

  /** Writes a line and all lines of users. Lines that are added during a write are written together afterward. */
  #write(line = ''): Promise<void> {
    this.#waiting += line
    this.#next ??= this.#previous.then(async () => {
      const users = this.#users
      const lines = users + this.#waiting
      this.#waiting = ''
      this.#next = undefined
      if (lines === '') return
      await appendLines(this.#options.paths, lines)
      this.#users = this.#users.slice(users.length)
      await this.#command?.send(lines)
    })
    this.#previous = this.#next.catch(() => undefined)
    return this.#next
  }
}
