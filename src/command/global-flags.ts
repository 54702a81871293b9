import { UsageError } from '../base/errors.ts'
import { colorModes, outputFormats } from '../output/settings.ts'
import type { OptionRow, OptionValues } from './options.ts'
import { duration, nonEmpty, wholeNumber } from './values.ts'

/** Flags of every command. A secret is never accepted as a value on the command line. */
export const globalOptions = [
  ['-p, --profile <profile>', 'profile to use', { once: true, parse: nonEmpty }],
  ['--key-file <file>', 'read the API key from a file', { parse: nonEmpty }],
  ['--key-stdin', 'read the API key from standard input'],
  [
    '--action-token <file>',
    'read an action token from a file, or - for standard input',
    { parse: tokenFile },
  ],
  ['-o, --output <format>', 'output format', { choices: outputFormats }],
  ['--json [fields]', 'print JSON, optionally with only the given fields'],
  ['--jq <expression>', 'filter the JSON with jq'],
  ['--no-header', 'omit the header line'],
  ['--no-truncate', 'do not truncate cells'],
  ['--excel', 'CSV that is safe to open in Excel'],
  ['--color <when>', 'when to use color', { choices: colorModes, default: 'auto' }],
  ['-q, --quiet', 'print only data, warnings, and errors'],
  ['-n, --dry-run', 'show the request without sending it'],
  ['-y, --yes', 'answer yes to prompts (not in production)'],
  [
    '--confirm <what>',
    'value that confirms a change (profile name, user ID, or number of users)',
    { once: true },
  ],
  ['--no-input', 'never prompt'],
  ['--timeout <duration>', 'maximum wait for a response', { parse: duration, default: '30s' }],
  ['--max-time <duration>', 'maximum time for the entire command', { parse: duration }],
  ['--retries <n>', 'maximum retries per failed request', { parse: wholeNumber, default: '3' }],
  ['--strict', 'fail if a response has an unexpected format'],
  ['--debug', 'trace requests to stderr, with secrets masked'],
  ['--curl', 'show each request as a curl command'],
] as const satisfies readonly OptionRow[]

/** Flags that replace a command. */
export const replacingOptions: readonly OptionRow[] = [
  ['-h, --help', 'show help'],
  ['-V, --version', 'show the version'],
]

export type GlobalFlags = OptionValues<typeof globalOptions>

function tokenFile(text: string): string {
  if (/^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) {
    throw new UsageError('must be a file name or -, not the token: other users can see the command line')
  }
  return nonEmpty(text)
}
