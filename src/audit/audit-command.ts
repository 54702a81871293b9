import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { commandEnvironment, killWithChildren } from '../base/children.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'

/** Time in ms after which a running program is assumed to work. A shell reports a missing program after about 20 ms. */
const startMs = 300
/** Maximum time in ms for the program to read lines, or to exit after the last line. */
const maxWaitMs = 10_000

/** The program from `profiles set --audit-command`. It receives each entry as a line on its standard input. */
export class AuditCommand {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>
  readonly #exit: Promise<string>
  /** How the program ended: its exit code, its signal, or a problem. Undefined while the program reads its input. */
  #ending: string | undefined
  #errorText = ''
  #hasAccepted = false

  constructor(command: string, env: Environment) {
    this.#child = spawn(command, {
      shell: true,
      // In its own process group, the program is not stopped by Ctrl-C, so it receives the outcome.
      detached: process.platform !== 'win32',
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    // `failure` and `close()` report that the program has ended, so a failed write is ignored.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-4_096)
    })
    const closed = once(this.#child, 'close').catch(() => undefined)
    this.#exit = once(this.#child, 'exit').then(
      async ([code, signal]) => {
        // Waits for the rest of the error text, but not for a program in the background that keeps stderr open.
        await within(startMs, closed)
        this.#child.stderr.destroy()
        return this.#end(signal ?? `exit code ${code}`)
      },
      ({ message }: Error) => this.#end(message),
    )
  }

  /** Waits for the start of the program. If the program could not start, `failure` is set. */
  start(): Promise<unknown> {
    return within(startMs, this.#exit)
  }

  /** The reason why no further request may be sent. Undefined while the program reads its input. */
  get failure(): FacescanError | undefined {
    return this.#ending === undefined ? undefined : this.#explain('; no new request was sent', 'no')
  }

  /** Passes lines to the program. Sets `failure` if the program does not read them. */
  async send(lines: string): Promise<void> {
    const written = new Promise((resolve) => this.#child.stdin.write(lines, (error) => resolve(!error)))
    if ((await within(maxWaitMs, written)) === true) this.#hasAccepted = true
    else this.#end('did not read its input')
  }

  /** Closes standard input. Returns an error if the program ended too early, or if it does not exit with code 0 in time. */
  async close(): Promise<FacescanError | undefined> {
    const earlyEnding = this.#ending
    this.#child.stdin.end()
    if ((await within(maxWaitMs, this.#exit)) === undefined) killWithChildren(this.#child)
    const ending = this.#end(`no exit within ${maxWaitMs / 1_000} s`)
    const isConfirmed = !earlyEnding && ending === 'exit code 0'
    return isConfirmed ? undefined : this.#explain(' without confirming all entries', 'maybe')
  }

  /** Records how the program ended, unless an earlier ending is recorded. */
  #end(how: string): string {
    this.#ending ??= how
    return this.#ending
  }

  #explain(problem: string, applied: 'no' | 'maybe'): FacescanError {
    const reason = [this.#ending, redactProgramText(this.#errorText, '')].filter(Boolean).join(': ')
    const what = `the audit command ended (${reason})`
    if (!this.#hasAccepted) {
      return new RefusedError(`${what}; nothing was sent`, {
        hint: 'Run the command yourself. It must read lines from its standard input until the input ends.',
      })
    }
    const sent = applied === 'maybe' ? '. Earlier requests were sent.' : ''
    const hint = `The entries are in the audit log on this machine: facescan history list${sent}`
    return new FacescanError('import_stopped', what + problem, { applied, hint })
  }
}

/** The result of `work`, or undefined after `ms` milliseconds. The timer does not keep the process running. */
function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  // If this process was suspended, the timer can fire before the events that are already waiting. Two more iterations of the event loop
  // deliver these events.
  const late = () => nextTurn().then(() => nextTurn(undefined))
  return Promise.race([work, sleep(ms, undefined, { ref: false }).then(late)])
}
