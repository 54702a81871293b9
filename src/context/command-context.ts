import type { Clock } from '../base/clock.ts'
import type { Environment, Io } from '../base/io.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import type { Interrupts } from './interrupts.ts'

export interface ProcessEnvironment {
  io: Io
  env: Environment
  clock: Clock
  random(): number
  interrupts: Interrupts
}

export interface CommandContext extends Context {
  readonly definition: Command
  /** Whether Esc at the confirmation of a change returns to the prompts for missing values. */
  readonly canGoBack: boolean
  readonly closers: (() => Promise<void>)[]
  close(): Promise<void>
}
