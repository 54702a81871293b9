import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'
import { commandEnvironment } from '../base/process.ts'

/** Time in which a program that cannot work usually ends. The shell needs about 20 ms to report a missing program. */
const startMs = 300
/** Maximum time to read a line, and to exit after the last line. */
const maxWaitMs = 10_000
const maxErrorText = 4_096

const localEntries = 'The entries are in the audit log on this machine: facescan history list'

interface AuditCommandOptions {
  env: Environment
  clock: Pick<Clock, 'sleep'>
}

/** The program of `profiles set --audit-command`. It receives each entry as a line on its standard input. */
export class AuditCommand {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>
  readonly #clock: AuditCommandOptions['clock']
  readonly #ended: Promise<void>
  #ending: string | undefined
  #isComplete = true
  #hasAccepted = false
  #isReported = false
  #errorText = ''

  constructor(command: string, { env, clock }: AuditCommandOptions) {
    this.#clock = clock
    this.#child = spawn(command, {
      shell: true,
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    // The end of the program is reported once, also for a line that it did not read.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-maxErrorText)
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', ({ message }) => resolve(this.#end(message)))
      this.#child.on('close', (code, signal) => resolve(this.#end(signal ?? `exit code ${code}`)))
    })
  }

  /** Starts the program. Throws RefusedError if it ends at once. */
  static async start(command: string, options: AuditCommandOptions): Promise<AuditCommand> {
    const started = new AuditCommand(command, options)
    await started.#wait(started.#ended, startMs)
    if (started.#ending === undefined) return started
    throw started.#refusal()
  }

  /** Throws if the program has ended. No request may be sent then. */
  assertRunning(): void {
    if (this.#ending === undefined && this.#isComplete) return
    if (!this.#hasAccepted) throw this.#refusal()
    this.#isReported = true
    throw new FacescanError('import_stopped', `${this.#describe()}; no new request was sent`, {
      hint: localEntries,
      applied: 'no',
    })
  }

  /** Passes a line. If the program does not accept it, `assertRunning` and `close` throw. */
  async send(line: string): Promise<void> {
    const written = new Promise<boolean>((resolve) => {
      this.#child.stdin.write(line, (error) => resolve(!error))
    })
    const isSent = await this.#wait(Promise.race([written, this.#ended.then(() => false)]), maxWaitMs)
    if (isSent === true) this.#hasAccepted = true
    else this.#isComplete = false
  }

  /** Closes the standard input. Throws unless the program accepted all lines and exits with code 0 in time. */
  async close(): Promise<void> {
    this.#child.stdin.end()
    await this.#wait(this.#ended, maxWaitMs)
    if (this.#ending === undefined) {
      this.#end(`no exit within ${maxWaitMs / 1_000} s`)
      this.#child.kill('SIGKILL')
    }
    // Without an accepted entry, nothing was sent, and that error was reported.
    if (this.#isReported || !this.#hasAccepted || (this.#ending === 'exit code 0' && this.#isComplete)) return
    throw new FacescanError('import_stopped', `${this.#describe()} without confirming all entries`, {
      hint: `${localEntries}. The requests before were sent.`,
      applied: 'maybe',
    })
  }

  #refusal(): RefusedError {
    return new RefusedError(`${this.#describe()}; nothing was sent`, {
      hint: 'Run the command yourself. It must read lines from its standard input until the input ends.',
    })
  }

  #end(how: string): void {
    this.#ending ??= how
  }

  #describe(): string {
    const reason = redactProgramText(this.#errorText, '')
    const how = [this.#ending ?? 'it does not read its input', reason].filter(Boolean).join(': ')
    return `the audit command ended (${how})`
  }

  /** The value of the promise; undefined if it is not settled in time. */
  async #wait<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
    const over = new AbortController()
    // A timer that is left running would delay the exit.
    const timer = this.#clock.sleep(ms, over.signal).then(
      () => undefined,
      () => undefined,
    )
    try {
      return await Promise.race([promise, timer])
    } finally {
      over.abort()
    }
  }
}
