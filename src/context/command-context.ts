import type { Clock } from '../base/clock.ts'
import type { Environment, Io } from '../base/io.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import type { Interrupts } from './interrupts.ts'

/** Access to the process: streams, environment, and signals. Tests pass a simulated process. */
export interface ProcessEnvironment {
  io: Io
  env: Environment
  clock: Clock
  random(): number
  interrupts: Interrupts
}

/** The context of a command, with additional fields for the code that starts and ends the command. */
export interface CommandContext extends Context {
  readonly definition: Command
  /** Whether Esc at the confirmation of a change returns to the prompts for missing values. */
  readonly canGoBack: boolean
  /** Functions that close what the command has opened. `close` calls them in reverse order. */
  readonly closers: (() => Promise<void>)[]
  close(): Promise<void>
}
