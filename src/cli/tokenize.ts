import { globalOptions, replacingOptions } from '../framework/global-flags.ts'
import { type ColorMode, colorModes } from '../output/settings.ts'
import { lastText, type Words } from './words.ts'

/** A command line whose global flags are parsed. Flags of the command stay in `rest` until the command is known. */
export interface CommandLine extends Words {
  argv: readonly string[]
  wantsHelp: boolean
  wantsVersion: boolean
  color: ColorMode
}

const plainFlags = ['-h', '--help', '-V', '--version']

/** The only function that reads argv. It does not throw, because errors must be printed in the selected format and color. */
export async function tokenize(argv: readonly string[]): Promise<CommandLine> {
  // Loading commander takes 3 of the 33 ms of `--help`, so simple command lines are parsed without it.
  const isPlain = argv.every((word) => !word.startsWith('-') || plainFlags.includes(word))
  const words = isPlain
    ? bindPlain(argv)
    : (await import('./bind.ts')).bind(argv, { ...globalOptions, ...replacingOptions })
  const { given } = words
  const color = colorModes.find((mode) => mode === lastText(given['color'])) ?? 'auto'
  return { ...words, argv, wantsHelp: given['help'] === true, wantsVersion: given['version'] === true, color }
}

function bindPlain(argv: readonly string[]): Words {
  return {
    operands: argv.filter((word) => !plainFlags.includes(word)),
    given: {
      ...((argv.includes('-h') || argv.includes('--help')) && { help: true }),
      ...((argv.includes('-V') || argv.includes('--version')) && { version: true }),
    },
    rest: [],
  }
}
