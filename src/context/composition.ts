import type { Clock, Environment, Io } from '../base/io.ts'
import type { Paths } from '../base/system/paths.ts'
import type { GlobalFlags } from '../command/global-flags.ts'
import type { Effect } from '../contract/endpoint.ts'
import type { Pseudonyms } from '../output/redaction/pseudonyms.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen } from '../output/view.ts'
import type { Interrupts } from './interrupts.ts'

export interface Outside {
  io: Io
  env: Environment
  clock: Clock
  random(): number
  interrupts: Interrupts
  /** With --redact; the streams are covered already, results are redacted before they are laid out. */
  pseudonyms?: Pseudonyms
}

export interface Composition {
  outside: Outside
  main(words: readonly string[], outside: Outside): Promise<number>
  command: string
  /** Whether a dry run sends the requests that only read, and stops at the first change. */
  looksUp: boolean
  /** What the command does to files and keys on this machine. */
  localEffect: Effect
  /** Whether the command can act with an action token; others do not look for one. */
  takesToken: boolean
  flags: GlobalFlags
  paths: Paths
  settings: OutputSettings
  pens: { stdout: Pen; stderr: Pen }
}
