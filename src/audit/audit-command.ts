import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'
import { commandEnvironment } from '../base/process.ts'

/** A program that still runs after this time is assumed to work. A shell reports a missing program after about 20 ms. */
const startMs = 300
/** Maximum time to read a line, and to exit after the last line. */
const maxWaitMs = 10_000
const maxErrorText = 4_096

const localEntries = 'The entries are in the audit log on this machine: facescan history list'

interface AuditCommandOptions {
  env: Environment
  clock: Pick<Clock, 'sleep'>
}

/** The program from `profiles set --audit-command`. It receives each entry as a line on its standard input. */
export class AuditCommand {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>
  readonly #clock: AuditCommandOptions['clock']
  readonly #ended: Promise<void>
  /** How the program ended. Undefined while the program reads its input. */
  #ending: string | undefined
  #isClosed = false
  #hasAccepted = false
  #hasMissed = false
  #isReported = false
  #errorText = ''

  private constructor(command: string, { env, clock }: AuditCommandOptions) {
    this.#clock = clock
    this.#child = spawn(command, {
      shell: true,
      // The program has its own process group, so that Ctrl-C does not end it before it receives the outcome, and `close` can end all its
      // processes.
      detached: process.platform !== 'win32',
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    // A failed write is ignored here, because `assertRunning` and `close` report that the program has ended.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-maxErrorText)
    })
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#isClosed = true
        this.#ending ??= how
        resolve()
      }
      this.#child.on('error', ({ message }) => end(message))
      this.#child.on('close', (code, signal) => end(signal ?? `exit code ${code}`))
    })
  }

  /** Starts the program. Throws RefusedError if it ends at once. */
  static async start(command: string, options: AuditCommandOptions): Promise<AuditCommand> {
    const started = new AuditCommand(command, options)
    await started.#waitFor(started.#ended, startMs)
    started.assertRunning()
    return started
  }

  /** Throws if the program has ended, because no further request may be sent then. */
  assertRunning(): void {
    if (this.#ending === undefined) return
    if (!this.#hasAccepted) throw this.#refusal()
    this.#isReported = true
    throw new FacescanError('import_stopped', `${this.#describe()}; no new request was sent`, {
      hint: localEntries,
      applied: 'no',
    })
  }

  /** Starts the audit command and passes it one line. Throws RefusedError if the program does not accept it. */
  static async check(command: string, line: string, options: AuditCommandOptions): Promise<void> {
    const started = await AuditCommand.start(command, options)
    await started.send(line)
    await started.close().catch(() => undefined)
    if (started.#ending !== 'exit code 0' || started.#hasMissed) throw started.#refusal()
  }

  /** Passes lines to the program. If the program does not accept them, `assertRunning` and `close` throw. */
  async send(lines: string): Promise<void> {
    let isRead = false
    const read = new Promise<void>((resolve) => {
      this.#child.stdin.write(lines, (error) => {
        if (error) return
        isRead = true
        resolve()
      })
    })
    await this.#waitFor(Promise.race([read, this.#ended]), maxWaitMs)
    if (isRead) this.#hasAccepted = true
    else {
      this.#hasMissed = true
      this.#ending ??= 'it does not read its input'
    }
  }

  /** Closes standard input. Throws unless the program accepted all lines and exits with code 0 in time. */
  async close(): Promise<void> {
    this.#child.stdin.end()
    await this.#waitFor(this.#ended, maxWaitMs)
    if (!this.#isClosed) this.#kill()
    this.#ending ??= `no exit within ${maxWaitMs / 1_000} s`
    const isConfirmed = this.#ending === 'exit code 0' && !this.#hasMissed
    if (isConfirmed || this.#isReported || !this.#hasAccepted) return
    throw new FacescanError('import_stopped', `${this.#describe()} without confirming all entries`, {
      hint: `${localEntries}. Earlier requests were sent.`,
      applied: 'maybe',
    })
  }

  #refusal(): RefusedError {
    return new RefusedError(`${this.#describe()}; nothing was sent`, {
      hint: 'Run the command yourself. It must read lines from its standard input until the input ends.',
    })
  }

  /** Ends the program and the programs that it started, because any of them keeps the pipe of the error output open. */
  #kill(): void {
    const { pid } = this.#child
    if (pid === undefined || process.platform === 'win32') this.#child.kill('SIGKILL')
    // Some of the processes may already have ended.
    else orUndefined(() => process.kill(-pid, 'SIGKILL'))
    this.#child.stderr.destroy()
  }

  #describe(): string {
    const reason = redactProgramText(this.#errorText, '')
    return `the audit command ended (${[this.#ending, reason].filter(Boolean).join(': ')})`
  }

  async #waitFor(end: Promise<void>, ms: number): Promise<void> {
    const over = new AbortController()
    // A running timer would delay the exit.
    await Promise.race([end, this.#clock.sleep(ms, over.signal).catch(() => undefined)])
    over.abort()
  }
}
