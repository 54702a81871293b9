import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { checkTimeZone } from '../../bulk/rows/time-zones.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import { fileOptions, paceOptions } from '../../framework/many/options.ts'
import { flag, type Options, type OptionValues, toggle } from '../../framework/options.ts'
import { atMost, nonEmpty, oneOf } from '../../framework/values.ts'

/** Maximum batch size. It limits the size of a record in the journal, because one record can contain all rows of a batch. */
const largestBatch = 10_000

export const readingOptions = {
  timezone: flag('--timezone <zone>', 'time zone for rows without a time zone', zoneName),
  ...fileOptions,
  batchSize: flag('--batch-size <n>', 'maximum answers per request', atMost(largestBatch), {
    default: '100',
  }),
}

/** Options for sending. A resumed import can use different values. */
export const sendingOptions = {
  results: flag('--results <directory>', 'directory for result files and a summary', nonEmpty),
  ...paceOptions,
  onAmbiguous: flag(
    '--on-ambiguous <what>',
    'handling of rows with an unknown outcome',
    oneOf(['hold', 'resend', 'skip']),
    { default: 'hold' },
  ),
  verify: toggle('--verify', 'then compare the saved answers with the file'),
  verbose: toggle('--verbose', 'show the complete summary'),
  pageParameter: flag('--page-parameter <name>', 'query parameter for the page number', nonEmpty, {
    default: 'page',
  }),
}

export type SendingOptions = OptionValues<typeof sendingOptions>

export interface ImportRequest {
  file: string
  settings: ImportSettings
  skipInvalid: boolean
  again: boolean
  resendUnknown?: boolean
  repeatResult?: boolean
  saveMapping?: string | undefined
  resumed?: HeaderRecord | undefined
  keyReplaced?: boolean
  sending: SendingOptions
}

export type PlanRequest = Omit<ImportRequest, 'sending'> & {
  sending: Pick<SendingOptions, 'results' | 'maxConcurrency' | 'rate' | 'verify'>
}

export function sendingFlags(options: SendingOptions): string[] {
  const flags: Options = sendingOptions
  return Object.entries(options).flatMap(([key, value]) => {
    const { long, default: usual } = flags[key] ?? {}
    if (long === undefined || value === undefined || value === false || String(value) === usual) return []
    const text = key === 'maxWait' ? `${value}ms` : String(value)
    return [value === true ? long : `${long} ${quoteWord(text)}`]
  })
}

/** The name of the time zone in correct case. A resumed import then has the same setting, even if the user types another case. */
function zoneName(text: string): string {
  const { name } = checkTimeZone(text)
  if (name !== undefined) return name
  throw new UsageError(`"${text}" is not an IANA time zone name (such as Europe/Amsterdam or UTC)`)
}
