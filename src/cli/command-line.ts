import { globalOptions, replacingOptions } from '../command/global-flags.ts'
import { type ColorMode, colorModes } from '../output/settings.ts'
import type { SortedWords } from './sort-words.ts'

export function lastText(value: SortedWords['given'][string] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : undefined
}

/** A command line, read before its command is known. */
export interface CommandLine extends SortedWords {
  argv: readonly string[]
  wantsHelp: boolean
  wantsVersion: boolean
  color: ColorMode
}

const plainFlags = ['-h', '--help', '-V', '--version']

/**
 * The only reader of argv before a command is loaded. It never throws: an error in a command line is reported in the format and
 * color that the same line asks for.
 */
export async function readCommandLine(argv: readonly string[]): Promise<CommandLine> {
  const words = isPlain(argv)
    ? sortPlainWords(argv)
    : (await import('./sort-words.ts')).sortWords(argv, { ...globalOptions, ...replacingOptions })
  const { given } = words
  const color = colorModes.find((mode) => mode === lastText(given['color'])) ?? 'auto'
  return {
    ...words,
    argv,
    wantsHelp: given['help'] === true,
    wantsVersion: given['version'] === true,
    color,
  }
}

/** Whether the line can be read without commander. Loading commander takes 3 of the 33 ms of `--help`. */
function isPlain(argv: readonly string[]): boolean {
  return argv.every((word) => !word.startsWith('-') || plainFlags.includes(word))
}

function sortPlainWords(argv: readonly string[]): SortedWords {
  return {
    operands: argv.filter((word) => !plainFlags.includes(word)),
    given: {
      ...((argv.includes('-h') || argv.includes('--help')) && { help: true }),
      ...((argv.includes('-V') || argv.includes('--version')) && { version: true }),
    },
    unknownFlags: [],
    doubtful: [],
  }
}
