import type { Clock } from '../base/clock.ts'
import { once } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { AuditCommand } from './audit-command.ts'
import {
  type Entry,
  type NewIntent,
  type NewOutcome,
  toIntent,
  toLine,
  toOutcome,
  toUserChange,
} from './entry.ts'
import { appendLines } from './files.ts'

export interface AuditLogOptions {
  paths: Paths
  env: Environment
  clock: Pick<Clock, 'now' | 'sleep'>
  /** The shell command of the profile that receives each entry. */
  auditCommand?: string | undefined
}

/** Writes the outcome of a change. */
export type EndEntry = (outcome: NewOutcome) => Promise<void>

/** The audit log, as one command writes it. */
export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #start: () => Promise<AuditCommand | undefined>
  #command: AuditCommand | undefined
  #waiting = ''
  #writing: Promise<void> | undefined

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

  /**
   * Writes the intent of a change to disk and passes it to the audit command. Throws if either is not possible; the change
   * must not be made then.
   */
  async begin(intent: NewIntent): Promise<EndEntry> {
    const command = await this.#start()
    command?.assertRunning()
    const started = toIntent(this.#options.clock.now(), intent)
    const end: EndEntry = (outcome) => this.#write(toOutcome(this.#options.clock.now(), started.id, outcome))
    await this.#write(started)
    try {
      command?.assertRunning()
    } catch (error) {
      await end({ outcome: 'not sent' })
      throw error
    }
    return end
  }

  /** Throws if no further request of a list may be sent, because the audit command has ended. */
  assertOpen(): void {
    this.#command?.assertRunning()
  }

  /** Adds the entry of one user that a list changed. It does not wait for the disk. */
  add(facts: NewIntent, outcome: NewOutcome): void {
    this.#waiting += toLine(toUserChange(this.#options.clock.now(), facts, outcome))
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined
    })
    // `close` reports the error.
    this.#writing.catch(() => undefined)
  }

  /** Writes the remaining entries. Throws if an entry could not be written, or if the audit command did not accept all of them. */
  async close(): Promise<void> {
    try {
      await this.#flush()
    } finally {
      await this.#command?.close()
    }
  }

  async #write(entry: Entry): Promise<void> {
    // The total of a list follows the entries of its users.
    await this.#flush()
    const line = toLine(entry)
    await appendLines(this.#options.paths, line, true)
    await this.#command?.send(line)
  }

  async #flush(): Promise<void> {
    await this.#writing
    if (this.#waiting !== '') await this.#writeWaiting()
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting !== '') {
      const lines = this.#waiting
      await appendLines(this.#options.paths, lines, false)
      this.#waiting = this.#waiting.slice(lines.length)
      await this.#command?.send(lines)
    }
  }
}
