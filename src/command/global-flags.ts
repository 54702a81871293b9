import { UsageError } from '../base/errors.ts'
import { colorModes, outputFormats } from '../output/settings.ts'
import type { OptionRow, OptionValues } from './options.ts'
import { duration, wholeNumber } from './values.ts'

/** Flags that mean the same everywhere. A value that is a secret is never taken from the command line. */
export const globalOptions = [
  ['-p, --profile <profile>', 'profile to use', { once: true }],
  ['--key-file <file>', 'read the API key from a file'],
  ['--key-stdin', 'read the API key from standard input'],
  [
    '--action-token <file>',
    'read an action token from a file, or - for standard input',
    { parse: tokenFile },
  ],
  ['-o, --output <format>', 'how to print', { choices: outputFormats }],
  ['--json [fields]', 'JSON, whole or only some fields'],
  ['--jq <expression>', 'filter the JSON with jq'],
  ['--no-header', 'leave the heading line out'],
  ['--no-truncate', 'show every cell whole'],
  ['--excel', 'CSV that Excel opens safely'],
  ['--color <when>', 'colour', { choices: colorModes, default: 'auto' }],
  ['-q, --quiet', 'no remarks: only data, warnings and errors'],
  ['-n, --dry-run', 'show the request, send nothing'],
  ['-y, --yes', 'do not ask'],
  ['--confirm <what>', 'confirm a guarded change by naming it', { once: true }],
  ['--no-input', 'never prompt'],
  ['--timeout <duration>', 'longest wait for an answer', { parse: duration, default: 30_000 }],
  ['--max-time <duration>', 'longest time for the whole command', { parse: duration }],
  ['--retries <n>', 'attempts after a failed one', { parse: wholeNumber, default: 3 }],
  ['--strict', 'fail on a reply of an unknown shape'],
  ['--redact', 'show pseudonyms instead of ids, tokens and customer names'],
  ['--debug', 'trace requests on stderr, secrets masked'],
  ['--curl', 'show each request as a curl command'],
  ['--har <file>', 'write the exchange to a HAR file, secrets masked'],
] as const satisfies readonly OptionRow[]

export type GlobalFlags = OptionValues<typeof globalOptions>

function tokenFile(text: string): string {
  if (/^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) {
    throw new UsageError(
      'takes a file name or -, never the token itself: a command line is visible to other users',
    )
  }
  return text
}
