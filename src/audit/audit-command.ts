import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'
import { commandEnvironment, killWithChildren } from '../base/process.ts'

/** A program that still runs after this time is assumed to work. A shell reports a missing program after about 20 ms. */
const startMs = 300
/** Maximum time to read a line, and to exit after the last line. */
const maxWaitMs = 10_000

interface AuditCommandOptions {
  env: Environment
  clock: Pick<Clock, 'sleep'>
}

/** The program from `profiles set --audit-command`. It receives each entry as a line on its standard input. */
export class AuditCommand {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>
  readonly #clock: AuditCommandOptions['clock']
  readonly #ended: Promise<boolean>
  /** How the program ended or failed. Undefined while the program reads its input. */
  #ending: string | undefined
  #hasAccepted = false
  #hasMissed = false
  #isReported = false
  #errorText = ''

  private constructor(command: string, { env, clock }: AuditCommandOptions) {
    this.#clock = clock
    this.#child = spawn(command, {
      shell: true,
      // The program has its own process group, so that Ctrl-C does not end it before it receives the outcome.
      detached: process.platform !== 'win32',
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    // A failed write is ignored here, because `assertRunning` and `close` report that the program has ended.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-4_096)
    })
    this.#ended = once(this.#child, 'close').then(
      ([code, signal]) => this.#end(signal ?? `exit code ${code}`),
      ({ message }: Error) => this.#end(message),
    )
  }

  /** Starts the program. Throws RefusedError if it ends at once. */
  static async start(command: string, options: AuditCommandOptions): Promise<AuditCommand> {
    const started = new AuditCommand(command, options)
    await started.#inTime(started.#ended, startMs)
    started.assertRunning()
    return started
  }

  /** Throws if the program has ended, because no further request may be sent then. */
  assertRunning(): void {
    if (this.#ending === undefined) return
    this.#isReported = true
    throw this.#failure('no')
  }

  /** Passes lines to the program. If the program does not accept them, `assertRunning` and `close` throw. */
  async send(lines: string): Promise<void> {
    const write = new Promise<boolean>((resolve) =>
      this.#child.stdin.write(lines, (error) => resolve(!error)),
    )
    const isRead = await this.#inTime(Promise.race([write, this.#ended.then(() => false)]), maxWaitMs)
    if (isRead) this.#hasAccepted = true
    else this.#hasMissed = this.#end('it does not read its input')
  }

  /**
   * Closes standard input. Throws if the program missed a line or does not exit with code 0 in time, unless `assertRunning` has already
   * thrown.
   */
  async close(): Promise<void> {
    this.#child.stdin.end()
    if (!(await this.#inTime(this.#ended, maxWaitMs))) killWithChildren(this.#child)
    this.#end(`no exit within ${maxWaitMs / 1_000} s`)
    if (!this.#isReported && (this.#hasMissed || this.#ending !== 'exit code 0')) throw this.#failure('maybe')
  }

  #end(how: string): true {
    this.#ending ??= how
    return true
  }

  #failure(applied: 'no' | 'maybe'): FacescanError {
    const reason = [this.#ending, redactProgramText(this.#errorText, '')].filter(Boolean).join(': ')
    const what = `the audit command ended (${reason})`
    if (!this.#hasAccepted) {
      return new RefusedError(`${what}; nothing was sent`, {
        hint: 'Run the command yourself. It must read lines from its standard input until the input ends.',
      })
    }
    const [problem, more] =
      applied === 'no'
        ? ['; no new request was sent', '']
        : [' without confirming all entries', '. Earlier requests were sent.']
    const hint = `The entries are in the audit log on this machine: facescan history list${more}`
    return new FacescanError('import_stopped', what + problem, { applied, hint })
  }

  /** The result of `work`, or false after `ms` milliseconds. */
  async #inTime(work: Promise<boolean>, ms: number): Promise<boolean> {
    const over = new AbortController()
    const late = this.#clock.sleep(ms, over.signal).then(
      () => false,
      () => false,
    )
    // A running timer would delay the exit.
    return Promise.race([work, late]).finally(() => over.abort())
  }
}
