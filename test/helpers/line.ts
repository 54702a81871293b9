import { bind } from '../../src/cli/bind.ts'
import { globalOptions, replacingOptions } from '../../src/framework/global-flags.ts'

/** A command line before its command is known, read without waiting. */
export function lineOf(argv: readonly string[]) {
  return { ...bind(argv, { ...globalOptions, ...replacingOptions }), argv }
}
