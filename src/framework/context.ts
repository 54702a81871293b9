import type { Clock } from '../base/clock.ts'
import type { Environment, Io } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { Step } from '../http/chain.ts'
import type { Api, SendOnce } from '../http/client.ts'
import type { HelpPage } from '../output/page.ts'
import type { Progress } from '../output/progress.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Terminal, View } from '../output/view.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import type { Session } from '../profiles/session.ts'
import type { Ask } from './ask.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { ProgramSchema } from './program-schema.ts'
import type { UserId } from './user.ts'

export interface PrintOptions {
  user?: UserId | undefined
  /** Whether the complete value is printed even if `--json` names fields. */
  isComplete?: boolean | undefined
}

export interface ConfirmedRun {
  /** Sends one attempt of a request that may change data. Writes no audit entry for it. */
  send: SendOnce
  /** Writes the audit entry for the end of the run. Call this after the last request. */
  finish(result: { outcome: 'done' | 'failed' | 'unknown'; detail: string }): Promise<void>
}

/** Functions of the complete program, for the few commands that run or describe other commands. Each part is loaded on first use. */
interface Program {
  /** Runs another command line in this process and resolves with its exit code. */
  run(words: readonly string[], options?: { env?: Environment; io?: Io }): Promise<number>
  /** The page for the arguments of `facescan help`. Throws UsageError for unknown arguments. */
  page(words: readonly string[]): Promise<HelpPage>
  schema(): Promise<ProgramSchema>
}

/** Everything that a command can use. Expensive values are created on first use. */
export interface Context {
  readonly io: Io
  readonly env: Environment
  readonly clock: Clock
  readonly flags: GlobalFlags
  /** Values of the flags as text, by key, before conversion. */
  readonly given: Readonly<Record<string, true | readonly string[]>>
  readonly paths: Paths
  /** The name of the command, such as `users create`. */
  readonly command: string
  /** The command line, including answers from prompts. Hints suggest running it again. It contains no API key. */
  readonly line: string
  readonly ask: Ask
  readonly program: Program
  /** The selected output format and filters. `print` uses them. */
  readonly settings: OutputSettings
  /** Aborted when the command must stop immediately. */
  readonly signal: AbortSignal
  random(): number
  /**
   * Returns an AbortSignal that is aborted at the first Ctrl-C, SIGTERM, or SIGHUP, so that active requests can finish. A second Ctrl-C
   * stops the command immediately.
   */
  drainFirst(): AbortSignal
  session(): Promise<Session>
  /**
   * Asks for confirmation of a change if the profile requires it. Throws RefusedError if the change is not confirmed. The API client
   * calls this method for each request. A command calls it earlier to show facts that the request does not contain, such as the name of
   * the deleted user.
   */
  confirm(change: GuardedChange): Promise<void>
  /** Asks for one confirmation of a change to many users. The requests of the run need no other confirmation. */
  confirmRun(change: GuardedChange): Promise<ConfirmedRun>
  api(): Promise<Api>
  /** Creates a client for a different session, such as a session with a new key. */
  connect(
    session: Session,
    options?: { connections?: number; limit?: Step; maxWaitMs?: number },
  ): Promise<Api>
  print<T, Row>(value: T, view: View<T, Row>, options?: PrintOptions): Promise<void>
  /** Applies the `--jq` filter to a value and resolves with the results. */
  filter(value: unknown): Promise<unknown[]>
  /** Prints one line on stderr about a successful change, unless --quiet is set. */
  done(text: string): void
  /** Prints a note to stderr, unless --quiet is set. */
  note(text: string): void
  warn(text: string): void
  /** The progress line on stderr. It is shown only on a terminal. Clear it before you write to stdout. */
  readonly progress: Progress
  readonly terminals: Readonly<Record<'stdout' | 'stderr', Terminal>>
}
