import { ownVariables, supportedVariables } from '../../command/environment.ts'
import { listExitCodes } from '../../command/exit-codes.ts'
import { globalOptions } from '../../command/global-flags.ts'
import type { TopicName } from '../../command/manual.ts'
import { manyOptions } from '../../command/many/options.ts'
import { describeFlags } from '../../command/options.ts'
import type { HelpPage, HelpSection } from '../../output/page.ts'
import { flagRow } from './command-page.ts'
import { commandSections } from './overview.ts'

export const topics: Readonly<Record<TopicName, HelpPage>> = {
  commands: page('Commands', 'all commands', commandSections()),
  environment: page('Environment', 'variables that facescan reads', [
    { heading: 'Defined by facescan', rows: ownVariables },
    { heading: 'Also supported', rows: supportedVariables },
    {
      heading: 'Key precedence',
      text: 'The first of: `--key-file` or `--key-stdin`, an explicit `--profile`, `FACESCAN_API_KEY` or `FACESCAN_API_KEY_FILE`, `FACESCAN_PROFILE`, the default profile, the built-in sandbox. `facescan status` shows the key and its source.',
    },
    { text: 'A .env file is never loaded. There is no telemetry and no update check.' },
  ]),
  'exit-codes': page('Exit codes', 'exit codes of every command', [
    { rows: listExitCodes().map(({ exit_code, meaning }) => [String(exit_code), meaning]) },
    {
      heading: 'Machine-readable errors',
      text: 'With a machine-readable output format, the error is one line of JSON on stderr, and stdout is empty:',
      rows: [
        [
          '{"error":{"code":"not_found","message":"…","status":404,"request_id":"…", "retryable":false,"retry_after":null,"hint":"…","exit_code":4}}',
          '',
        ],
      ],
    },
  ]),
  flags: page('Flags', 'global flags', [
    {
      rows: [
        ...describeFlags(globalOptions).map(flagRow),
        ['-h, --help', 'show help'],
        ['-V, --version', 'show the version'],
      ],
    },
  ]),
  formats: page('Formats', 'output formats', [
    {
      text: 'Data is written to stdout, everything else to stderr. With a machine-readable format, stdout contains a valid document or nothing.',
    },
    {
      rows: [
        ['table', 'default; tab-separated without color when piped'],
        ['json', 'one document, as the service sent it'],
        ['ndjson', 'one object per line'],
        ['csv', 'RFC 4180; `--excel` adds a byte order mark and disables formulas'],
        ['tsv', 'tab-separated; tabs and line feeds in values are escaped'],
      ],
    },
    {
      heading: 'Select fields and filter',
      examples: [
        'facescan users get 4711 --json=user_id,language',
        'facescan biomarkers list 4711 --jq ".[].heart_rate"',
        'facescan biomarkers list 4711 -o csv --excel > scans.csv',
      ],
    },
    {
      text: 'Filters are checked before anything is sent. For commands that change data, field names are also checked. If a filter fails on the result of a change, a warning is printed with the complete result.',
    },
    {
      text: 'Times are relative on a terminal and RFC 3339 elsewhere. IDs and links are never truncated. `facescan schema` describes the JSON of every command.',
    },
  ]),
  'many-users': page('Many users at once', 'run a command for each user in a file', [
    {
      heading: 'Examples',
      examples: [
        'facescan metrics --users staff.csv -o csv > metrics.csv',
        'facescan scan-url --users staff.csv --keep email --out links.csv',
        'facescan users import staff.csv',
        'facescan users delete --users leavers.csv',
      ],
    },
    {
      heading: 'File',
      rows: [
        ['columns', 'external_user_id or user_id; or one external user ID per line'],
        ['types', '.csv, .tsv, and .jsonl, also gzipped; - reads standard input'],
        ['flags', 'a column with the name of a flag (language, expire-at) sets that flag for the row'],
      ],
    },
    { heading: 'Flags', rows: describeFlags(manyOptions).map(flagRow) },
    {
      heading: 'Output',
      text: 'Rows appear in the same order as in the file. Each row starts with the user’s ID and the columns from `--keep`. In json and ndjson, `result` contains the output for one user. Tokens and links are never printed to a terminal.',
    },
    {
      heading: 'Failures',
      text: 'The complete file is checked before anything is sent. A failed user does not stop the run. Failed users are reported on stderr or written to `--errors FILE`. To retry them, pass that file to `--users`. The exit code is 10.',
    },
    {
      heading: 'Interruptions',
      text: 'With `--out FILE`, the file is created when the run is complete. After Ctrl-C or a crash, the same command resumes the run. For 12 hours after the file is complete, the same command only shows the result again. `users import` creates each user once. The status `created_or_existing` means that the response to the create request was lost, so it is unknown whether the user already existed. `users delete` requires the number of users as confirmation and writes the deleted users to a file.',
    },
  ]),
  import: page('Import', 'save many answers from a file', [
    {
      heading: 'Examples',
      examples: [
        'facescan answers import answers.csv --timezone Europe/Amsterdam --dry-run',
        'facescan answers import answers.csv --timezone Europe/Amsterdam',
        'facescan imports list',
      ],
    },
    {
      heading: 'File',
      rows: [
        ['long', 'one answer per row: external_user_id or user_id, lookup_key, value, timezone'],
        ['wide', 'one user per row: an ID column, then one column per lookup key'],
        ['types', '.csv, .tsv, and .jsonl, also gzipped; - reads standard input'],
      ],
    },
    {
      heading: 'Result',
      text: 'Every row is checked before the first request. Each row ends as accepted, rejected (with the reason), unknown (sent, but the outcome cannot be verified), or unsent. The four counts add up to the number of rows in the file. Rejected rows are written to `rejects.csv` beside the file (`rejects-2.csv` if it exists). Fix them there and import that file.',
    },
    {
      heading: 'Interruptions',
      text: 'Ctrl-C finishes the current requests and shows the command that resumes the import. After a crash, the same command resumes from the journal. No row is lost, and no accepted row is sent again.',
    },
  ]),
  profiles: page('Profiles', 'stored API keys and base URLs', [
    {
      heading: 'Examples',
      examples: [
        'facescan profiles add ACME-DEV --base-url https://api.example.com',
        'facescan profiles use ACME-DEV',
        'facescan metrics 4711 --profile ACME-DEV',
      ],
    },
    {
      text: 'The profile name is the alias of its key. A profile whose name ends in -DEV is a development profile. Every other profile is a production profile. `SANDBOX-DEV` is built in, needs no key, and is the default until you select another profile.',
    },
    {
      heading: 'Protection',
      rows: [
        ['read-only', 'no changes, unless the profile is unlocked for a limited time'],
        ['confirm', 'each change needs confirmation (default for production)'],
        ['off', 'only deletions need confirmation (default for development)'],
      ],
    },
    {
      text: 'In scripts, pass the profile name to `--confirm`, or the user ID for a deletion. In production, `--yes` is ignored. Keys are read from a prompt, a file, or standard input, never from the command line.',
    },
  ]),
}

function page(name: string, summary: string, sections: readonly HelpSection[]): HelpPage {
  return { name, summary, sections }
}
