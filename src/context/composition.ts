import type { Clock } from '../base/clock.ts'
import type { Environment, Io } from '../base/io.ts'
import type { Paths } from '../base/paths.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen } from '../output/view.ts'
import type { Interrupts } from './interrupts.ts'

export interface Outside {
  io: Io
  env: Environment
  clock: Clock
  random(): number
  interrupts: Interrupts
}

export interface Composition {
  outside: Outside
  main(words: readonly string[], outside: Outside): Promise<number>
  /** Name of the command, such as `users create`. */
  name: string
  command: Command
  line: string
  flags: GlobalFlags
  paths: Paths
  settings: OutputSettings
  pens: { stdout: Pen; stderr: Pen }
}

/** The context without the functions that reach the service or print a result. */
export interface LocalContext
  extends Omit<Context, 'approve' | 'concludeImport' | 'api' | 'connect' | 'print'> {
  composition: Composition
  /** Functions that close what the command opened. They are called in reverse order at its end. */
  closers: (() => Promise<void>)[]
}
