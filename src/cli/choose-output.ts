import { UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { beforeDashes } from '../base/words.ts'
import type { GlobalFlags } from '../command/global-flags.ts'
import {
  type ColorMode,
  colorModes,
  type OutputFormat,
  type OutputSettings,
  outputFormats,
} from '../output/settings.ts'

/** What the flags and FACESCAN_OUTPUT ask of the output; `--json` and `--jq` win over `--output`. */
export function chooseOutput(flags: GlobalFlags, env: Environment): OutputSettings {
  const fields = flags.json ? flags.json.split(',').map((field) => field.trim()) : undefined
  return {
    format: chooseFormat(flags, env),
    fields,
    jq: flags.jq,
    header: flags.header,
    truncate: flags.truncate,
    excel: flags.excel,
    quiet: flags.quiet,
  }
}

function chooseFormat(flags: GlobalFlags, env: Environment): OutputFormat {
  const fromEnvironment = env['FACESCAN_OUTPUT'] || undefined
  const format = flags.output ?? fromEnvironment ?? 'table'
  if (!isFormat(format)) {
    throw new UsageError(`FACESCAN_OUTPUT is not one of ${outputFormats.join(', ')}`)
  }
  if (flags.json === undefined && flags.jq === undefined) return format
  return format === 'ndjson' ? 'ndjson' : 'json'
}

function isFormat(text: string): text is OutputFormat {
  return (outputFormats as readonly string[]).includes(text)
}

/** The format of an error message, guessed from words that may not parse: a script gets JSON even for its own typing mistake. */
export function guessFormat(argv: readonly string[], env: Environment): OutputFormat {
  if (beforeDashes(argv).some((word) => /^--(json|jq)(=|$)/.test(word))) return 'json'
  const format = guessValue(argv, /^(?:-o|--output)$/, /^(?:--output=|-o=?)(.+)$/) ?? env['FACESCAN_OUTPUT']
  return outputFormats.find((known) => known === format) ?? 'table'
}

/** Whether an error message, a question or a page of help is in colour, guessed likewise. */
export function guessColor(argv: readonly string[]): ColorMode {
  const mode = guessValue(argv, /^--color$/, /^--color=(.+)$/)
  return colorModes.find((known) => known === mode) ?? 'auto'
}

function guessValue(argv: readonly string[], alone: RegExp, glued: RegExp): string | undefined {
  const words = beforeDashes(argv)
  const at = words.findIndex((word) => alone.test(word))
  const value = at === -1 ? undefined : words[at + 1]
  return value ?? words.map((word) => glued.exec(word)?.[1]).find((text) => text)
}
