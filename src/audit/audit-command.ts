import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandEnvironment, killWithChildren } from '../base/children.ts'
import { FacescanError, RefusedError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { redactProgramText } from '../base/mask.ts'

/** Time in ms after which a running program counts as started. A shell reports a missing program after about 20 ms. */
const startMs = 300
/** Maximum time in ms for the program to read a line, or to exit after the last line. */
const maxWaitMs = 10_000

/** The program from `profiles set --audit-command`. It receives each entry as a line on its standard input. */
export class AuditCommand {
  readonly #child: ChildProcessByStdio<Writable, null, Readable>
  /** How the program ended. Undefined while it runs. */
  #exit: string | undefined
  /** Why the program receives no more entries, although it has not ended. */
  #problem: string | undefined
  #errorText = ''
  #hasAccepted = false

  constructor(command: string, env: Environment) {
    this.#child = spawn(command, {
      shell: true,
      // In its own process group, the program survives Ctrl-C, so it still receives the outcome of the change.
      detached: process.platform !== 'win32',
      env: commandEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-4_096)
    })
    this.#child.on('error', ({ message }) => (this.#exit = message))
    // A program in the background can keep stderr open.
    this.#child.on('exit', () => setTimeout(() => this.#child.stderr.destroy(), startMs / 2))
    this.#child.on('close', (code, signal) => (this.#exit ??= signal ?? `exit code ${code}`))
  }

  /** The reason why no further request may be sent. Undefined while the program reads its input. */
  get failure(): FacescanError | undefined {
    return this.#hasEnded ? this.#explain('; no new request was sent', 'no') : undefined
  }

  /** Passes a line to the program. Sets `failure` if the program does not read the line, or if it ends at once after the first line. */
  async send(line: string): Promise<void> {
    const { stdin } = this.#child
    const limit = setTimeout(() => stdin.destroy(), maxWaitMs)
    const error = await new Promise((resolve) => stdin.write(line, resolve))
    clearTimeout(limit)
    if (error || !this.#hasAccepted) await until(() => this.#exit !== undefined, startMs)
    if (error) this.#problem = 'did not read its input'
    this.#hasAccepted ||= !this.#hasEnded
  }

  /** Closes standard input. Returns an error if the program ended too early, or if it does not exit with code 0 in time. */
  async close(): Promise<FacescanError | undefined> {
    const hasEndedEarly = this.#hasEnded
    this.#child.stdin.end()
    await until(() => this.#exit !== undefined, maxWaitMs)
    if (this.#exit === undefined) {
      this.#problem ??= `no exit within ${maxWaitMs / 1_000} s`
      killWithChildren(this.#child)
    }
    const isConfirmed = !hasEndedEarly && this.#exit === 'exit code 0'
    return isConfirmed ? undefined : this.#explain(' without confirming all entries', 'maybe')
  }

  get #hasEnded(): boolean {
    return this.#exit !== undefined || this.#problem !== undefined
  }

  #explain(problem: string, applied: 'no' | 'maybe'): FacescanError {
    const reason = [this.#exit ?? this.#problem, redactProgramText(this.#errorText, '')]
      .filter(Boolean)
      .join(': ')
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

/**
 * Waits until the condition is true, for a limited time. Waits in short steps: if this process was suspended, the events that arrived in the
 * meantime are handled before the time is over.
 */
async function until(condition: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && !condition(); waited += 10) await sleep(10)
}
