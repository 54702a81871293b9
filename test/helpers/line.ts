import { bind } from '../../src/cli/bind.ts'
import { globalOptions, replacingOptions } from '../../src/framework/global-flags.ts'

/** Does the same as `tokenize` for a command line, but does not return a promise. */
export function lineOf(argv: readonly string[]) {
  return { ...bind(argv, { ...globalOptions, ...replacingOptions }), argv }
}
