import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
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
  #next: Promise<void> | undefined
  #previous: Promise<unknown> = Promise.resolve()
  /** The error of the first entry of a list that could not be written. */
  #failure: FacescanError | undefined
  #isReported = false

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
   * Writes the intent of a change (its planned request) to disk and passes it to the audit command. If this function throws, the change
   * must not be made.
   */
  async begin(facts: ChangeFacts = {}): Promise<EndEntry> {
    const { clock, facts: shared } = this.#options
    await this.#start()
    const intent = toIntent(clock.now(), { ...shared, ...facts })
    const end: EndEntry = (result) => this.#write(toLine(toOutcome(clock.now(), intent.id, result)))
    await this.#write(toLine(intent))
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
    this.#isReported = this.#failure !== undefined
    if (this.#failure) throw this.#failure
    this.#command?.assertRunning()
  }

  /** Adds the entry of one changed user in a list, without waiting for the disk. */
  add(facts: ChangeFacts, result: ChangeResult): void {
    const { clock, facts: shared } = this.#options
    this.#write(toLine(toUserChange(clock.now(), { ...shared, ...facts }, result))).catch(
      ({ message }: Error) => {
        this.#failure ??= new FacescanError('import_stopped', `${message}; no new request was sent`, {
          applied: 'no',
        })
      },
    )
  }

  /** Waits for all entries. Throws if an entry of a list was not written or the audit command did not accept all entries. */
  async close(): Promise<void> {
    await this.#previous
    await this.#command?.close()
    if (this.#failure && !this.#isReported) throw this.#failure
  }

  /** Writes a line. Lines that are added during a write are written together afterward. */
  #write(line: string): Promise<void> {
    this.#waiting += line
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
