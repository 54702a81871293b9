import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { FacescanError } from '../base/errors.ts'
import { cannotWrite, makeOwnerDirectory } from '../base/files.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { type Paths, requireDirectory } from '../base/paths.ts'
import { AuditCommand } from './audit-command.ts'
import { boundText, type Change, checkLogFile } from './changes.ts'

/** Facts about a change. They contain no secrets and no personal data. */
export type ChangeFacts = Partial<Change>

export type ChangeResult = ChangeFacts & { outcome: Exclude<Change['outcome'], 'started'> }

export type EndEntry = (result: ChangeResult) => Promise<void>

export interface AuditLogOptions {
  paths: Paths
  env: Environment
  clock: Pick<Clock, 'now'>
  /** Shell commands that receive each entry. */
  auditCommands: readonly string[]
  facts: ChangeFacts
}

/** The log of one command. A change has an entry before its requests, and a second entry with the same ID and the outcome. */
export class AuditLog {
  readonly #path: string
  readonly #clock: AuditLogOptions['clock']
  readonly #facts: ChangeFacts
  readonly #commands: readonly AuditCommand[]
  /** The first error of writing an entry for a user of a list. */
  #failure: FacescanError | undefined
  #isReported = false

  constructor({ paths, env, clock, auditCommands, facts }: AuditLogOptions) {
    this.#clock = clock
    // In a container, the operating system may have no name for the user, so the numeric ID of the system user is logged.
    const os_user = orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`
    this.#facts = { os_user, ...facts }
    this.#path = join(requireDirectory(paths, 'state'), logName(this.#now()))
    this.#commands = auditCommands.map((command) => new AuditCommand(command, env))
  }

  /** Writes the intent to disk, and passes it to the audit commands. If this throws, the change must not be made. */
  async begin(facts: ChangeFacts = {}): Promise<EndEntry> {
    const intent = this.#describe(facts)
    const end: EndEntry = (result) => this.#write({ ...intent, ...result, time: this.#now() })
    makeOwnerDirectory(dirname(this.#path))
    checkLogFile(this.#path)
    await this.#write(intent)
    if (this.#findFailure()) await end({ outcome: 'not sent' })
    this.assertOpen()
    return end
  }

  /**
   * Adds the entry for one changed user of a list, without waiting for the disk. A request that changed nothing has no entry. If the write
   * fails, the next call of `assertOpen` throws.
   */
  async addUser(facts: ChangeFacts, result: ChangeResult): Promise<void> {
    if (result.outcome !== 'done' && result.outcome !== 'unknown') return
    await this.#write(this.#describe({ ...facts, ...result }), { flush: false }).catch(
      ({ message }: Error) => {
        const text = `${message}; no new request was sent`
        this.#failure ??= new FacescanError('import_stopped', text, { applied: 'no' })
      },
    )
  }

  /** Throws if no further request may be sent, because an audit command has ended or an entry could not be written. */
  assertOpen(): void {
    const failure = this.#findFailure()
    this.#isReported ||= failure !== undefined
    if (failure) throw failure
  }

  /**
   * Throws if an entry for a user could not be written, or if an audit command did not accept all entries. An error that was already thrown
   * is not thrown again.
   */
  async close(): Promise<void> {
    const endings = await Promise.all(this.#commands.map((command) => command.close()))
    const failure = endings.find(Boolean) ?? this.#failure
    if (failure && !this.#isReported) throw failure
  }

  #findFailure(): FacescanError | undefined {
    return this.#failure ?? this.#commands.map((command) => command.failure).find(Boolean)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }

  #describe(facts: ChangeFacts): ChangeFacts {
    return { id: randomBytes(8).toString('hex'), time: this.#now(), ...this.#facts, ...facts }
  }

  async #write(entry: ChangeFacts, { flush } = { flush: true }): Promise<void> {
    const line = `${JSON.stringify(entry, boundText)}\n`
    try {
      appendFileSync(this.#path, line, { mode: 0o600, flush })
    } catch (error) {
      const hint = 'Check the free disk space and the file permissions.'
      throw cannotWrite(`the audit log in ${dirname(this.#path)}`, error, hint)
    }
    for (const command of this.#commands) await command.send(line)
  }
}

/**
 * Name of the file of this month and this machine. Several machines can share a directory over NFS, and NFS does not append in one step, so
 * each machine has its own file.
 */
function logName(time: string): string {
  return `history-${time.slice(0, 7)}-${hostname().replace(/[^\w.-]/g, '')}.ndjson`
}
