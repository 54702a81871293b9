import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { checkTimeZone } from '../../bulk/rows/time-zones.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import { fileOptions, paceOptions } from '../../command/many/options.ts'
import { argumentKey, type OptionRow, type OptionValues } from '../../command/options.ts'
import { nonEmpty, positiveInteger } from '../../command/values.ts'

/** A resumed import keeps these settings. */
export const readingOptions = [
  ['--timezone <zone>', 'time zone for rows without a time zone', { parse: zoneName }],
  ...fileOptions,
  ['--batch-size <n>', 'maximum answers per request', { parse: batchSize, default: '100' }],
] as const satisfies readonly OptionRow[]

/** These settings may differ between runs. */
export const sendingOptions = [
  ['--results <directory>', 'directory for result files (default: the input file’s directory)'],
  ...paceOptions,
  [
    '--on-ambiguous <what>',
    'handling of rows with an unknown outcome',
    { choices: ['hold', 'resend', 'skip'], default: 'hold' },
  ],
  ['--verbose', 'show the complete summary'],
  ['--page-parameter <name>', 'query parameter for the page number', { parse: nonEmpty, default: 'page' }],
] as const satisfies readonly OptionRow[]

export type SendingOptions = OptionValues<typeof sendingOptions>

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  skipInvalid: boolean
  /** Imports content that was already imported. */
  again: boolean
  resumed?: HeaderRecord | undefined
  keyReplaced?: boolean
  sending: SendingOptions
}

/** The flags for these options, for `imports resume`. */
export function sendingFlags(options: SendingOptions): string[] {
  const values = new Map<string, unknown>(Object.entries(options))
  return sendingOptions.flatMap(([flags, , spec]: OptionRow) => {
    const [name = ''] = flags.split(' ')
    const value = values.get(argumentKey(name.slice(2)))
    if (value === undefined || value === false || String(value) === spec?.default) return []
    return [value === true ? name : `${name} ${quoteWord(String(value))}`]
  })
}

/** Corrects the case, so that a resumed import has the same setting. */
function zoneName(text: string): string {
  const { name } = checkTimeZone(text)
  if (name !== undefined) return name
  throw new UsageError(`"${text}" is not an IANA time zone name (such as Europe/Amsterdam or UTC)`)
}

/** A record of the journal can name this many rows. */
const largestBatch = 10_000

function batchSize(text: string): number {
  const size = positiveInteger(text)
  if (size <= largestBatch) return size
  throw new UsageError(`"${text}" is more than the maximum of ${largestBatch}`)
}
