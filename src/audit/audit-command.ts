import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { commandEnvironment, killWithChildren } from '../base/children.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'

/** A program that is still running after this time (in ms) is assumed to work. A shell reports a missing program after about 20 ms. */
const startMs = 300
/** Maximum time in ms to read lines, and to exit after the last line. */
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
      // The program has its own process group, so that Ctrl-C does not end it before it receives the outcome.
      detached: process.platform !== 'win32',
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    // A failed write is ignored here, because `failure` and `close` report that the program has ended.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-4_096)
    })
    this.#exit = once(this.#child, 'close').then(
      ([code, signal]) => this.#end(signal ?? `exit code ${code}`),
      ({ message }: Error) => this.#end(message),
    )
  }

  /** Waits for the start of the program. `failure` is then set if the program could not start. */
  start(): Promise<unknown> {
    return within(startMs, this.#exit)
  }

  /** The reason why no further request may be sent. Undefined while the program reads its input. */
  get failure(): FacescanError | undefined {
    return this.#ending === undefined ? undefined : this.#explain('; no new request was sent', 'no')
  }

  /** Passes lines to the program. If the program does not accept them, `failure` is set. */
  async send(lines: string): Promise<void> {
    const written = new Promise((resolve) => this.#child.stdin.write(lines, (error) => resolve(!error)))
    if ((await within(maxWaitMs, written)) === true) this.#hasAccepted = true
    else this.#end('did not read its input')
  }

  /** Closes standard input. Returns an error if the program ended earlier or does not exit with code 0 in time. */
  async close(): Promise<FacescanError | undefined> {
    const earlyEnding = this.#ending
    this.#child.stdin.end()
    if ((await within(maxWaitMs, this.#exit)) === undefined) killWithChildren(this.#child)
    const ending = this.#end(`no exit within ${maxWaitMs / 1_000} s`)
    const isConfirmed = !earlyEnding && ending === 'exit code 0'
    return isConfirmed ? undefined : this.#explain(' without confirming all entries', 'maybe')
  }

  /** Records how the program ended, unless that is already recorded. */
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

/** The result of `work`, or undefined after `ms` milliseconds. The timer does not delay the exit. */
function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  // Events that arrived while this process was suspended are delivered after the timer.
  const late = () => nextTurn().then(() => nextTurn(undefined))
  return Promise.race([work, sleep(ms, undefined, { ref: false }).then(late)])
}
