import type { Clock, Environment, Io } from '../base/io.ts'
import type { Paths } from '../base/system/paths.ts'
import type { Api } from '../http/client.ts'
import type { Progress } from '../output/progress.ts'
import type { OutputFormat } from '../output/settings.ts'
import type { Pen, View } from '../output/view.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import type { Session } from '../profiles/session.ts'
import type { Ask } from './ask.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Manual } from './manual.ts'
import type { UserId } from './user.ts'

type SandboxModule = typeof import('../sandbox/index.ts')

/** Everything a command may use. What costs something to make is a function and made once, when first asked for. */
export interface Context {
  readonly io: Io
  readonly env: Environment
  readonly clock: Clock
  readonly flags: GlobalFlags
  readonly paths: Paths
  /** The words of the command, such as `users create`. */
  readonly command: string
  readonly ask: Ask
  /** What the person named on the command line or at a prompt. */
  readonly target: { user?: UserId | undefined }
  readonly manual: Manual
  /** What the person asked the output to be; `print` goes by it. */
  readonly format: OutputFormat
  /** Runs another command line inside this process, as the person would have typed it; resolves with its exit code. */
  run(words: readonly string[], options?: { env?: Environment; io?: Io }): Promise<number>
  /** Aborted when everything is to stop now. */
  readonly signal: AbortSignal
  random(): number
  /** Puts the first Ctrl-C or SIGTERM on a signal of its own, so that work can be drained; the second one stops now. */
  drainFirst(): AbortSignal
  session(): Promise<Session>
  /**
   * Asks before a change, as the profile demands; throws RefusedError. Requests of the API client ask by themselves, so a
   * command calls it only to say more than the request can: who is deleted, how many rows are imported.
   */
  approve(change: GuardedChange): Promise<void>
  /** Writes the audit entry at the end of an import. Call it after the last request of an approved import. */
  concludeImport(result: { outcome: 'done' | 'failed' | 'unknown'; detail: string }): Promise<void>
  /** The client of the session. The first call sets the maximum number of open connections (default 1). */
  api(options?: { connections?: number }): Promise<Api>
  /** The sandbox's service and store, loaded when first asked for. */
  sandbox(): Promise<SandboxModule>
  /** Database file of the built-in sandbox. */
  sandboxDatabase(): string
  /** A client for another session than the one of the command line, such as a key that is being added. */
  connect(session: Session, options?: { connections?: number }): Promise<Api>
  /** The result, on stdout, in the format the person chose. */
  print<T>(value: T, view: View<T>): Promise<void>
  /** Raw bytes on stdout, for images and other data that is not text. */
  write(bytes: Uint8Array): Promise<void>
  /** The line about a successful change on stderr, silenced by --quiet. */
  done(text: string): void
  /** A remark on stderr, silenced by --quiet. */
  note(text: string): void
  /** A warning on stderr. */
  warn(text: string): void
  /** One line on stderr that changes, on a terminal only. */
  progress(): Progress
  /** How text for a stream is marked up. */
  pen(stream: 'stdout' | 'stderr'): Pen
}
