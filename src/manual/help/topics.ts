import { environmentPage } from '../../command/environment.ts'
import { exitCodesPage } from '../../command/exit-codes.ts'
import { describeFlags } from '../../command/flag-facts.ts'
import { globalOptions } from '../../command/global-flags.ts'
import type { TopicName } from '../../command/topic-names.ts'
import type { HelpPage } from '../../output/page.ts'
import { commandSections } from './branch-page.ts'
import { flagRow } from './command-page.ts'

export const topics: Readonly<Record<TopicName, () => HelpPage>> = {
  commands: () => ({
    name: 'Commands',
    summary: 'everything facescan can do',
    sections: commandSections(),
  }),
  environment: environmentPage,
  'exit-codes': exitCodesPage,
  flags: () => ({
    name: 'Flags',
    summary: 'what every command takes',
    sections: [
      {
        rows: [
          ...describeFlags(globalOptions).map(flagRow),
          ['-h, --help', 'explain the command'],
          ['-V, --version', 'print the version'],
        ],
      },
    ],
  }),
  formats: () => ({
    name: 'Formats',
    summary: 'how results are printed',
    sections: [
      {
        text: 'Data goes to stdout, everything else to stderr. With a machine format, stdout parses from its first byte or is empty.',
      },
      {
        rows: [
          ['table', 'for people; piped, tab-separated without colour or borders'],
          ['json', 'one document, as the service sent it'],
          ['ndjson', 'one object a line'],
          ['csv', 'RFC 4180; `--excel` adds a byte order mark and makes formulas harmless'],
          ['tsv', 'tabs between, tabs and line feeds within escaped'],
        ],
      },
      {
        heading: 'Choose fields, filter',
        examples: [
          'facescan users get 4711 --json=user_id,language',
          'facescan biomarkers list 4711 --jq ".[].heart_rate"',
          'facescan biomarkers list 4711 -o csv --excel > scans.csv',
        ],
      },
      {
        text: 'Filters, and the fields of a change, are checked before anything is sent. A filter that fails on the result of a change comes too late: a warning says so, and the whole result is shown.',
      },
      {
        text: 'Times are relative on a terminal and RFC 3339 elsewhere. Ids and links are never cut. `facescan schema` describes the JSON of every command.',
      },
    ],
  }),
  import: () => ({
    name: 'Import',
    summary: 'save many answers from a file, and never lose or repeat a row',
    sections: [
      {
        heading: 'Examples',
        examples: [
          'facescan answers import answers.csv --timezone Europe/Amsterdam --dry-run',
          'facescan answers import answers.csv --timezone Europe/Amsterdam',
          'facescan imports list',
        ],
      },
      {
        heading: 'The file',
        rows: [
          ['long', 'a line an answer: external_user_id or user_id, lookup_key, value, timezone'],
          ['wide', 'a line a user: an id column, then a column for each lookup key'],
          ['kinds', '.csv, .tsv and .jsonl, also gzipped; - reads standard input'],
        ],
      },
      {
        heading: 'What happens',
        text: 'Every row is checked before the first request. Each one then ends as accepted, rejected (with the reason), unknown (sent, outcome not provable) or unsent, and the four add up to the file. Rows that were refused are written to `rejects.csv` beside the file, or `rejects-2.csv` where an earlier one is, which can be mended and imported where it is.',
      },
      {
        heading: 'When it stops',
        text: 'Ctrl-C finishes what is on its way and says how to go on. After a crash the same command finds its journal and goes on where it was: nothing is lost or sent twice.',
      },
    ],
  }),
  profiles: () => ({
    name: 'Profiles',
    summary: 'which key speaks to which service',
    sections: [
      {
        heading: 'Examples',
        examples: [
          'facescan profiles add ACME-DEV --base-url https://api.example.com',
          'facescan profiles use ACME-DEV',
          'facescan metrics 4711 --profile ACME-DEV',
        ],
      },
      {
        text: 'A profile is named after its key’s alias. A name that ends in -DEV is a development profile, every other name is production. `SANDBOX-DEV` is built in, needs no key, and is used until another profile is chosen.',
      },
      {
        heading: 'Protection',
        rows: [
          ['read-only', 'refuses every change, until unlocked for a while'],
          ['confirm', 'asks before each change; production starts here'],
          ['off', 'does not ask; development starts here'],
        ],
      },
      {
        text: 'Scripts confirm with `--confirm` and the name of the profile, or the user id that is to be deleted. Keys are read from a prompt, a file or standard input, never from the command line.',
      },
    ],
  }),
}
