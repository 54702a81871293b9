import { UsageError } from '../base/errors.ts'
import { colorModes, outputFormats } from '../output/settings.ts'
import { flag, negation, type OptionValues, optionalValue, toggle } from './options.ts'
import { duration, nonEmpty, oneOf, wholeNumber } from './values.ts'

/** Flags of all commands. No flag accepts a secret as its value. */
export const globalOptions = {
  profile: flag('-p, --profile <profile>', 'profile to use', nonEmpty, { once: true }),
  keyFile: flag('--key-file <file>', 'read the API key from a file', nonEmpty),
  keyStdin: toggle('--key-stdin', 'read the API key from standard input'),
  actionToken: flag(
    '--action-token <file>',
    'read an action token from a file, or - for standard input',
    tokenFile,
  ),
  output: flag('-o, --output <format>', 'output format', oneOf(outputFormats)),
  json: optionalValue('--json [fields]', 'print JSON, or the given fields as JSON'),
  jq: flag('--jq <expression>', 'filter the JSON with jq'),
  header: negation('--no-header', 'omit the header line'),
  truncate: negation('--no-truncate', 'do not truncate cells'),
  excel: toggle('--excel', 'CSV that is safe to open in Excel'),
  color: flag('--color <when>', 'when to use color', oneOf(colorModes), { default: 'auto' }),
  quiet: toggle('-q, --quiet', 'omit progress and success messages'),
  dryRun: toggle('-n, --dry-run', 'show the request without sending it'),
  yes: toggle('-y, --yes', 'answer yes to prompts (not in protected production)'),
  confirm: flag(
    '--confirm <what>',
    'value that confirms a change (profile name, ID of the user, or number of users)',
    String,
    { once: true },
  ),
  input: negation('--no-input', 'disable prompts'),
  timeout: flag('--timeout <duration>', 'maximum wait for a response', duration, { default: '30s' }),
  maxTime: flag('--max-time <duration>', 'maximum time for the entire command', duration),
  retries: flag('--retries <n>', 'maximum retries per failed request', wholeNumber, { default: '3' }),
  trustOwner: flag('--trust-owner <uid>', 'as root, also use the files of this user', wholeNumber),
  strict: toggle('--strict', 'fail if a response has an unexpected format'),
  debug: toggle('--debug', 'trace requests to stderr, with secrets masked'),
  curl: toggle('--curl', 'show requests as curl commands'),
}

export const replacingOptions = {
  help: toggle('-h, --help', 'show help'),
  version: toggle('-V, --version', 'show the version'),
}

export type GlobalFlags = OptionValues<typeof globalOptions>

function tokenFile(text: string): string {
  if (/^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) {
    throw new UsageError('must be a file name or -, not the token: other users can see the command line')
  }
  return nonEmpty(text)
}
