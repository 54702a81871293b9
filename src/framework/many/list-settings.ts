import { extname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { formatOfEnding, isForPeople, type OutputSettings } from '../../output/settings.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import type { ManyInput } from './options.ts'

/** The output format. Throws if a flag or the destination cannot be used with a list. */
export function chooseSettings(
  ctx: Context,
  { many = {}, options }: Pick<Command, 'many' | 'options'>,
  input: ManyInput,
): OutputSettings {
  const { settings } = ctx
  const clash = (many.excludes ?? []).filter((name) =>
    [input[name] ?? false].flat().some((value) => value !== false),
  )
  if (clash.length > 0) {
    const names = clash.map((name) => options[name]?.long)
    throw new UsageError(`${names.join(', ')} and --users cannot be used together`)
  }
  const { terminal } = ctx.pen('stdout')
  const isFiltered = settings.jq !== undefined && !many.change
  if (isFiltered && input.out !== undefined) return chooseFiltered(settings, input)
  if (input.out !== undefined || many.change) {
    const usual = isForPeople(settings) || many.change ? 'csv' : settings.format
    const isChosen = settings.isExplicit && usual === settings.format
    return { ...settings, format: isChosen ? usual : (formatOfEnding(extname(input.out ?? '')) ?? usual) }
  }
  if (many.isSecret && terminal) {
    throw new UsageError('tokens and links are not printed to a terminal', {
      hint: 'Use --out FILE to write them to a file that only you can read, or pipe them to a program.',
    })
  }
  if (isFiltered) return chooseFiltered(settings, input)
  return isForPeople(settings) && !terminal ? { ...settings, format: 'tsv' } : settings
}

/** A filter can return any number of results per user, so each result is a line. */
function chooseFiltered(settings: OutputSettings, { out }: ManyInput): OutputSettings {
  if (settings.fields !== undefined)
    throw new UsageError('--json=fields, --jq, and --users cannot be used together')
  if (out !== undefined && formatOfEnding(extname(out)) !== 'ndjson') {
    throw new UsageError('--jq: the output is NDJSON', { hint: 'Use a file name that ends in .ndjson.' })
  }
  return { ...settings, format: 'ndjson' }
}
