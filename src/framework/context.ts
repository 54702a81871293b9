import type { Clock } from '../base/clock.ts'
import type { Environment, Io } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { Step } from '../http/chain.ts'
import type { Api, SendOnce } from '../http/client.ts'
import type { Progress } from '../output/progress.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen, View } from '../output/view.ts'
import type { GuardedChange } from '../profiles/guard.ts'
import type { Session } from '../profiles/session.ts'
import type { Ask } from './ask.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Manual } from './manual.ts'
import type { UserId } from './user.ts'

/** A confirmed change of many users. */
export interface ConfirmedRun {
  /** Sends a single attempt, also of a change. The run has one entry in the audit log for all of them. */
  send: SendOnce
  /** Writes the audit entry at the end of the run. Call it after the last request. */
  finish(result: { outcome: 'done' | 'failed' | 'unknown'; detail: string }): Promise<void>
}

/** Everything that a command can use. Expensive dependencies are functions that create their value on the first call. */
export interface Context {
  readonly io: Io
  readonly env: Environment
  readonly clock: Clock
  readonly flags: GlobalFlags
  /** The texts of the flags, by their keys, before they were converted. */
  readonly given: Readonly<Record<string, true | readonly string[]>>
  readonly paths: Paths
  /** The name of the command, such as `users create`. */
  readonly command: string
  /** The command line with the answers to prompts, for a hint to run it again. It never contains a key. */
  readonly line: string
  readonly ask: Ask
  readonly manual: Manual
  /** The selected output format and filters. `print` uses them. */
  readonly settings: OutputSettings
  /** Runs another command line in this process and resolves with its exit code. */
  run(words: readonly string[], options?: { env?: Environment; io?: Io }): Promise<number>
  /** Aborted when the command must stop immediately. */
  readonly signal: AbortSignal
  random(): number
  /** A signal for the first Ctrl-C or SIGTERM, so that requests in flight can finish. The second one stops the command. */
  drainFirst(): AbortSignal
  session(): Promise<Session>
  /**
   * Confirms a change if the profile requires it; throws RefusedError. The API client calls it for each request. A command
   * calls it to show more than the request contains, such as the name of the deleted user.
   */
  confirm(change: GuardedChange): Promise<void>
  /** Confirms the change of many users. The requests of the run need no other confirmation. */
  startRun(change: GuardedChange): Promise<ConfirmedRun>
  /** The client of the session. */
  api(): Promise<Api>
  /** Client for another session than the one on the command line, such as a new key. */
  connect(
    session: Session,
    options?: { connections?: number; limit?: Step; maxWaitMs?: number },
  ): Promise<Api>
  /** Prints the result to stdout in the selected format. `user` is the user whose data it shows. */
  print<T, Row>(value: T, view: View<T, Row>, user?: UserId | undefined): Promise<void>
  /** The results of the filter from `--jq` on a value. */
  filter(value: unknown): Promise<unknown[]>
  /** Prints the line about a successful change to stderr, unless --quiet is set. */
  done(text: string): void
  /** Prints a note to stderr, unless --quiet is set. */
  note(text: string): void
  /** Prints a warning to stderr. */
  warn(text: string): void
  /** The progress line on stderr, only on a terminal. Clear it before you write to stdout. */
  readonly progress: Progress
  /** The pen that styles text for a stream. */
  pen(stream: 'stdout' | 'stderr'): Pen
}
