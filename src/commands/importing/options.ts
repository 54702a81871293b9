import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import { delimiterOf } from '../../bulk/rows/delimiter.ts'
import type { OptionRow, OptionValues } from '../../command/options.ts'
import { nonEmpty, positiveInteger, timeZone } from '../../command/values.ts'

/** How the input is read; a resumed import keeps what it was started with. */
export const readingOptions = [
  ['--timezone <zone>', 'time zone of the rows that name none', { parse: timeZone }],
  ['--map <theirs=ours>', 'read a column of the file under another name', { parse: mapping, many: true }],
  ['--delimiter <character>', 'cell delimiter, where it is not found by itself', { parse: delimiter }],
  ['--batch-size <n>', 'answers a request at most', { parse: batchSize, default: 100 }],
  ['--skip-invalid', 'send the valid rows of a file that has invalid ones'],
] as const satisfies readonly OptionRow[]

/** How it is sent; may differ from run to run. */
export const sendingOptions = [
  ['--results <directory>', 'where rejects, unknown and summary files go; beside the input by default'],
  ['--max-concurrency <n>', 'requests in flight at most', { parse: positiveInteger, default: 32 }],
  ['--rate <n/s>', 'requests a second at most', { parse: perSecond }],
  [
    '--on-ambiguous <what>',
    'rows that cannot be proven saved: put them in the unknown file, send them again, or neither',
    { choices: ['hold', 'resend', 'skip'], default: 'hold' },
  ],
  [
    '--page-parameter <name>',
    'query parameter that selects a page of answers',
    { parse: nonEmpty, default: 'page' },
  ],
] as const satisfies readonly OptionRow[]

export type SendingOptions = OptionValues<typeof sendingOptions>

/** The flags that send as these options say, for the command that goes on with an import. */
export function sendingFlags(options: SendingOptions): string[] {
  const values = new Map<string, unknown>(Object.entries(options))
  return sendingOptions.flatMap(([flags, , spec]: OptionRow) => {
    const [name = ''] = flags.split(' ')
    const value = values.get(name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
    return value === undefined || value === spec?.default ? [] : [`${name} ${quoteWord(String(value))}`]
  })
}

function mapping(text: string): [theirs: string, ours: string] {
  const at = text.lastIndexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError(
    `"${text}" does not map a column (write theirs=ours, such as "Patient no=external_user_id")`,
  )
}

/** Far more than a service takes at once, and as much as one record of a journal can name. */
const largestBatch = 10_000

function batchSize(text: string): number {
  const size = positiveInteger(text)
  if (size <= largestBatch) return size
  throw new UsageError(`"${text}" is above ${largestBatch}`)
}

function delimiter(text: string): string {
  const character = delimiterOf(text)
  if (character !== undefined) return character
  throw new UsageError(`"${text}" is not one ASCII character (write , or ; or tab)`)
}

function perSecond(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)
  if (match && Number(match[1]) > 0) return Number(match[1])
  throw new UsageError(`"${text}" is not a rate (write 50/s)`)
}
