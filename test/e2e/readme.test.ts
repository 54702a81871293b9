import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../helpers/service.ts'
import { bash, demoTurns, openShell, type Shell, type Turn } from '../helpers/shell.ts'

/** Expected effect of a command in the README. */
interface Expectation {
  /** Expected text on the screen. Undefined if the command prints nothing. */
  shows?: RegExp
  exitCode?: number
  turns?: readonly Turn[]
  /** A check of the files in the working directory. */
  files?: (names: readonly string[]) => void
}

/** The commands in the `sh` blocks of a Markdown page. A command includes its here-document. */
function commandsIn(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) => block.match(/^(?:.*<<'END'\n(?:.*\n)*?END|.+)$/gm) ?? [])
}

let service: Service
let shell: Shell

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

const readText = (name: string) => readFileSync(join(shell.folder, name), 'utf8')
const interrupt = '\x03'

/**
 * Every command in the README, in order. A new command in the README needs an entry here. The test skips the README command `npm test`,
 * because it would run this test again.
 */
const expectations = (): [command: RegExp, Expectation | 'not run'][] => [
  [
    /^npm run demo/,
    {
      turns: demoTurns,
      shows: /213 of 216 answers accepted, 3 rejected/,
    },
  ],
  [/^npm test/, 'not run'],
  [/^npm link/, { shows: /added 1 package/ }],
  [/^export FACESCAN_PROFILE=SANDBOX-DEV/, {}],
  [/^facescan users create 4711/, { shows: /1984-02-29/ }],
  [/^facescan sandbox scan/, { shows: /30/ }],
  [/^facescan biomarkers list/, { shows: /Heart bpm.*\d days ago/s }],
  [/^facescan overview/, { shows: /User 4711: female.*Heart bpm.*Energy balance/s }],
  [/^facescan metrics/, { shows: /Confidence.*Sleep quality .*\d/s }],
  [/^facescan wellbeing/, { shows: /Physical.*\d.*Mental.*\d/s }],
  [/^facescan recommendations/, { shows: /é/ }],
  [/^facescan biomarkers list .*--chart=heart_rate/, { shows: /Heart rate.*[╭╰]/s }],
  [/^facescan biomarkers compare/, { shows: /Heart rate +\d+\S* +\d/ }],
  [/^facescan scan-url/, { shows: /^http\S+\s*$/m }],
  [/^facescan dashboard-url/, { shows: /^http\S+\s*$/m }],
  [
    /^facescan scan-url .*--qr --wait/,
    {
      turns: [
        [/▀|▄|█/, ''],
        [/waiting/i, () => shell.run('facescan sandbox scan 4711')],
      ],
      shows: /Heart rate +\d/,
    },
  ],
  [
    /^facescan users create$/,
    {
      turns: [
        [/id/i, '4713\r'],
        [/birth/i, '1984-02-29\r'],
        [/sex/i, '\r'],
        [/language/i, '\r'],
        [/unit system/i, '\r'],
        [/Run this command/, '\r'],
      ],
      shows: /facescan users create .*4713/,
    },
  ],
  [/^facescan users update .*--dry-run/, { shows: /language .*nl/i }],
  [
    /^facescan profiles add ACME-DEV/,
    { turns: [[/key/i, `${service.keys.development.key}\r`]], shows: /ACME-DEV/ },
  ],
  [/^facescan profiles use ACME-DEV/, { shows: /ACME-DEV/ }],
  [/^unset FACESCAN_PROFILE/, {}],
  [/^facescan status/, { shows: /ACME-DEV.*127\.0\.0\.1/s }],
  [/^facescan profiles use SANDBOX-DEV/, { shows: /SANDBOX-DEV/ }],
  [/^url=\$\(facescan scan-url/, { shows: /expires in/ }],
  [/^facescan users get .*--json=user_id,language/, { shows: /"user_id".*"language"/s }],
  [/^facescan biomarkers list .*--jq/, { shows: /^\d+/ }],
  [
    /^facescan biomarkers list .*--all .*> scans.csv/,
    { files: () => expect(readText('scans.csv')).toMatch(/heart_rate/) },
  ],
  [/^facescan api GET/, { shows: /^"?[0-9a-f-]{36}"?\s*$/m }],
  [/^facescan api POST/, { shows: /"user_id"/ }],
  [/^cat > answers.csv/, { files: (names) => expect(names).toContain('answers.csv') }],
  [
    /^facescan answers import .*--dry-run/,
    {
      shows: /nothing was sent.*line 4, user "4711", column value, byte \d+/s,
      exitCode: 2,
      files: (names) => expect(names).not.toContain('answers.summary.json'),
    },
  ],
  [
    /^facescan answers import .*--skip-invalid/,
    {
      shows: /2 of 3/,
      exitCode: 10,
      files: () => expect(readText('answers.rejects.csv')).toContain('average_sleep_hours'),
    },
  ],
  [/^facescan imports list/, { shows: /finished/ }],
  [
    /^facescan sandbox serve/,
    { exitCode: 130, turns: [[/press Ctrl-C/, interrupt]], shows: /simulates failures/ },
  ],
  [/^printf .*> staff.csv/, { files: (names) => expect(names).toContain('staff.csv') }],
  [/^facescan metrics --users/, { shows: /^external_user_id,.*^4711,.*Processed 1 user/ms }],
  [
    /^facescan scan-url --users .*--out links.csv/,
    { shows: /links\.csv/, files: () => expect(readText('links.csv')).toMatch(/ada@example\.com.*http/) },
  ],
  [
    /^facescan invite staff.csv/,
    { shows: /Invited 1 user/, files: (names) => expect(names).toContain('staff.links.csv') },
  ],
]

const commands = commandsIn(readFileSync('README.md', 'utf8'))

test('this file has an expected result for each command in the README, in the same order', () => {
  const patterns = expectations().map(([pattern]) => pattern)
  expect(commands.length).toBe(patterns.length)
  for (const [index, pattern] of patterns.entries()) expect(commands[index]).toMatch(pattern)
})

describe.skipIf(bash.missing)('README commands in bash', () => {
  beforeAll(() => {
    shell = openShell({ columns: 120, env: { npm_config_update_notifier: 'false' } })
  })

  test.each(commands.map((command, index) => [index + 1, command] as const))(
    'command %i of the README has the described result: %s',
    async (number, command) => {
      const expectation = expectations()[number - 1]?.[1] ?? 'not run'
      if (expectation === 'not run') return
      const { turns, shows = /^$/, exitCode = 0, files } = expectation
      const line = command
        .replace('https://api.example.com', service.url)
        .replace(/^npm link/, 'rm ~/bin/facescan; npm_config_prefix=$HOME npm link')
        .replace(/^(?=npm |rm )/, `cd '${process.cwd()}'; `)
      const result = await shell.run(line, turns)
      expect(result.exitCode, result.screen).toBe(exitCode)
      expect(result.screen).toMatch(shows)
      files?.(readdirSync(shell.folder))
    },
  )
})
