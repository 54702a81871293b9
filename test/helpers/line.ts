import { bind } from '../../src/cli/bind.ts'
import { globalOptions, replacingOptions } from '../../src/framework/global-flags.ts'

/** The result of `tokenize` for a command line, without a promise. */
export function lineOf(argv: readonly string[]) {
  return { ...bind(argv, { ...globalOptions, ...replacingOptions }), argv }
}
