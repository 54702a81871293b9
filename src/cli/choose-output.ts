import { UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { didYouMean } from '../base/nearest.ts'
import { showWord } from '../base/text.ts'
import type { Command } from '../framework/define-command.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import {
  formats,
  isOutputFormat,
  type OutputFormat,
  type OutputSettings,
  outputFormats,
} from '../output/settings.ts'
import { lastText, type Words } from './words.ts'

export function chooseOutput(flags: GlobalFlags, env: Environment, ofProfile?: string): OutputSettings {
  const format = chooseFormat(flags, env, ofProfile)
  if (!isOutputFormat(format)) {
    const source = env['FACESCAN_OUTPUT'] ? 'FACESCAN_OUTPUT' : 'the profile'
    throw new UsageError(
      `the value ${showWord(format)} in ${source} is not one of ${outputFormats.join(', ')}${didYouMean(format, outputFormats)}`,
    )
  }
  const jsonFlag = flags.json === undefined ? '--jq' : '--json'
  const isJson = (flags.json ?? flags.jq) !== undefined
  if (isJson && flags.output !== undefined && !formats[flags.output].isJson) {
    throw new UsageError(`--output ${flags.output} and ${jsonFlag} cannot be used together`, {
      hint: `${jsonFlag} prints JSON. Use it without --output, or with --output ndjson.`,
    })
  }
  return {
    format,
    isExplicit: (flags.output ?? flags.json ?? flags.jq) !== undefined,
    fields: flags.json ? flags.json.split(',').map((field) => field.trim()) : undefined,
    jq: flags.jq,
    header: flags.header,
    truncate: flags.truncate,
    excel: flags.excel,
  }
}

/** Checks the fields of `--json` and the filter of `--jq` before anything is sent. */
export async function checkOutput(
  { jq, fields }: OutputSettings,
  { view, many, resultSchema }: Command,
  isDryRun: boolean,
): Promise<void> {
  if (jq !== undefined) await (await import('../output/jq.ts')).checkFilter(jq)
  if (fields === undefined) return
  // A dry run prints the request. `--json` can then select fields of the request, even if the result of the command is a single value.
  const plan = isDryRun ? (await import('../http/trace.ts')).plannedView : undefined
  const views = [view, many?.view, plan].filter((each) => each !== undefined)
  const { checkFields } = await import('../output/fields.ts')
  checkFields(fields, views, await resultSchema())
}

/**
 * The output format for errors. A script parses errors in the format that it requested, so this format is used even if other flags are
 * invalid. On a terminal, errors are always text (`isForMachines` in `output/message.ts`).
 */
export function chooseErrorFormat({ given }: Words, env: Environment, ofProfile?: string): OutputFormat {
  const [output, json, jq] = ['output', 'json', 'jq'].map((name) => lastText(given[name]))
  const format = chooseFormat({ output, json, jq }, env, ofProfile)
  return isOutputFormat(format) ? format : 'table'
}

type FormatFlags = Partial<Record<'output' | 'json' | 'jq', string | undefined>>

/** The output format. The order of precedence is: `--json` and `--jq`, `--output`, FACESCAN_OUTPUT, the profile. */
function chooseFormat({ output, json, jq }: FormatFlags, env: Environment, ofProfile = 'table'): string {
  const format = output ?? (env['FACESCAN_OUTPUT'] || ofProfile)
  if (json === undefined && jq === undefined) return format
  return isOutputFormat(format) && formats[format].isJson ? format : 'json'
}
