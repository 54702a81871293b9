import { expect, test } from 'vitest'
import { globalOptions } from '../../../src/framework/global-flags.ts'
import { topicNames } from '../../../src/framework/help-topics.ts'
import { describeFlags } from '../../../src/help/describe.ts'
import { describeCommand } from '../../../src/help/schema.ts'
import { loadCommands, nouns } from '../../../src/routes/routes.ts'
import { createMachine } from '../../helpers/facescan.ts'

const { facescan } = createMachine()
const commands = (await loadCommands()).map(describeCommand)
const globalFlags = describeFlags(globalOptions)

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length))
}

test('the root help shows every command, and fits on a terminal of 80x24 that also shows the shell prompt', async () => {
  const { stdout, exitCode } = await facescan('')
  expect(exitCode).toBe(0)
  expect(widest(stdout)).toBeLessThanOrEqual(80)
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(23)
  for (const name of Object.keys(nouns)) expect(stdout).toMatch(new RegExp(`(^|[ ,])${name}([ ,]|$)`, 'm'))
  expect(stdout.indexOf('facescan demo')).toBeLessThan(stdout.indexOf('Commands'))
})

test.each(commands.map(({ command }) => command))(
  'the help of "%s" shows examples first, within 80 columns',
  async (name) => {
    const { stdout, exitCode, stderr } = await facescan(`${name} --help`)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(widest(stdout)).toBeLessThanOrEqual(80)
    expect(stdout.indexOf('Examples')).toBeGreaterThan(0)
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Usage'))
    expect(stdout).toMatch(/^ {2}Global flags +--profile, --json, … \(facescan help flags\)$/m)
    const same = await facescan(`help ${name}`)
    expect(same.stdout).toBe(stdout)
  },
)

test('on a narrow terminal, the description of a flag is below the flag', async () => {
  const { stdout } = await facescan('users create --help', { env: { COLUMNS: '20' } })
  expect(stdout).toContain('\n  --birth-date <date>\n    date of birth\n    (YYYY-MM-DD)\n')
})

test.each([40, 60])(
  'the help of every command fits a terminal with %i columns, except for its examples',
  async (columns) => {
    const env = { COLUMNS: String(columns) }
    const names = ['', ...Object.keys(nouns), ...commands.map(({ command }) => command)]
    for (const name of names) {
      const { stdout } = await facescan(`${name} --help`.trim(), { env })
      // The examples are excluded from the check of the line width, because a long word in an example is never broken.
      const text = stdout.replace(/^Examples\n( .*\n)+/m, '')
      const tooLong = text.split('\n').filter((line) => line.length > columns)
      expect(tooLong, name).toEqual([])
    }
  },
)

test('on a narrow terminal, the main help wraps a long list of subcommands to the next line', async () => {
  const { stdout } = await facescan('', { env: { COLUMNS: '60' } })
  expect(stdout).toContain(
    'profiles add|list|show|use|set|\n                    unlock|move-key|remove, status,\n',
  )
})

test('a long usage line wraps with an indent, and a flag and its value stay on one line', async () => {
  expect((await facescan('answers save --help')).stdout).toContain(
    '\n  facescan answers save [external-user-id] <lookup-key=value...>\n    --timezone <zone> [flags]\n',
  )
})

test('"help flags extra" is a usage error, and "help profiles add" shows the help of "profiles add"', async () => {
  const { exitCode, stderr } = await facescan('help flags extra')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('too many arguments after "flags": extra')
  expect(stderr).toContain('See: facescan help flags')
  expect((await facescan('help profiles add')).stdout).toMatch(/^facescan profiles add · /)
})

test('the help shows the choices and the default of a flag in one pair of parentheses', async () => {
  expect((await facescan('sandbox serve --help')).stdout).toContain('(default 4010; 0: any free port)')
  for (const { command } of commands)
    expect((await facescan(`${command} --help`)).stdout).not.toMatch(/\)\s+\((?!repeatable)/)
})

test('the help of every command fits a terminal with 24 rows that also shows the shell prompt', async () => {
  const lengths = await Promise.all(
    commands.map(async ({ command }) => {
      const { stdout } = await facescan(`${command} --help`)
      return { command, lines: stdout.trimEnd().split('\n').length }
    }),
  )
  expect(lengths.filter(({ lines }) => lines > 23).map(({ command }) => command)).toEqual([])
})

test.each([
  ['cron', /^Exit codes .*[\s\S]*Scheduled jobs/],
  ['jobs', /^Exit codes /],
  ['links', /^facescan scan-url .*[\s\S]*If\s+a\s+link\s+does\s+not\s+open,\s+create\s+a\s+new\s+link/],
  ['arrived', /^facescan overview .*[\s\S]*the last scan/],
  ['blood', /^facescan biomarkers compare /],
  ['language', /^facescan users update [\s\S]*--language/],
  ['delete', /^facescan users delete /],
  ['mail', /^facescan invite .*[\s\S]*Send the\s+links\s+yourself/],
  ['csv', /^Formats /],
  ['production', /^Profiles /],
])('"help %s" shows the help page about this word, although no topic has this name', async (word, page) => {
  const { exitCode, stdout } = await facescan(`help ${word}`)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(page)
})

test('the help of "api" states that the command can change or delete data', async () => {
  const { stdout } = await facescan('api --help')
  expect(stdout).toContain('Can change or delete data.')
  expect(stdout).not.toContain('Deletes data.')
})

test.each(topicNames)('the help topic %s fits a terminal with 80 columns', async (topic) => {
  const { stdout, exitCode } = await facescan(`help ${topic}`)
  expect(exitCode).toBe(0)
  expect(widest(stdout)).toBeLessThanOrEqual(80)
  expect(stdout.split('\n').length).toBeGreaterThan(5)
})

test('each flag of a command is in the help of the command or in a help topic that this help names', async () => {
  for (const { command, flags } of commands) {
    const { stdout } = await facescan(`${command} --help`)
    const named = [...stdout.matchAll(/facescan (help (?:many-users|import))/g)]
    const pages = await Promise.all(named.map(async ([, line = '']) => (await facescan(line)).stdout))
    for (const { long } of flags) expect(stdout + pages.join('')).toContain(long)
  }
  const { stdout } = await facescan('help flags')
  for (const { long } of globalFlags) expect(stdout).toContain(long)
  for (const long of ['--help', '--version']) expect(stdout).toContain(long)
})

test.each([
  ['user get', 'unknown command "user"; did you mean "facescan users"?'],
  ['users crate', 'unknown command "users crate"; did you mean "facescan users create"?'],
  ['users get --extenal-user-id 4711', 'did you mean "--external-user-id"?'],
  ['users get --external-id 4711', 'did you mean "--external-user-id"?'],
  ['users get --user 4711', 'did you mean "--external-user-id"?'],
  ['profiles list --out json', 'did you mean "--output"?'],
  ['users get 4711 --out json', 'to select an output format, use --output'],
  ['help enviroment', 'did you mean "facescan help environment"?'],
  ['help users crate', 'did you mean "facescan users create"?'],
  ['help users create please', 'too many arguments after "users create": please'],
])('"%s" exits with 2, prints a suggestion on stderr, and does not prompt', async (line, suggestion) => {
  const result = await facescan(line, { terminal: true, env: { NO_COLOR: '1', ACCESSIBLE: '1' } })
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr.replace(/\s+/g, ' ')).toContain(suggestion)
})

test('"users" without a verb shows its commands on a terminal, and is an error in a script', async () => {
  const person = await facescan('users')
  expect(person).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('users create') })
  const program = await facescan('users --json')
  expect(program).toMatchObject({ exitCode: 2, stdout: '' })
  expect(JSON.parse(program.stderr).error.message).toMatch(/needs a subcommand: create, .*or delete/)
})

test.each(['--version', '-V', 'users create --version', '-p ACME -V'])(
  '"%s" prints the version and nothing else',
  async (line) => {
    const { exitCode, stdout, stderr } = await facescan(line)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  },
)

test('the help is JSON if a flag selects JSON', async () => {
  const { stdout } = await facescan('users create --help --json')
  expect(JSON.parse(stdout)).toMatchObject({ name: 'facescan users create' })
})

test('every command has an example that contains the name of the command and only known flags', () => {
  const global = globalFlags.flatMap(({ long, short }) => [long, ...(short ? [short] : [])])
  for (const { command: name, examples, flags } of commands) {
    expect(examples.length, name).toBeGreaterThan(0)
    expect(
      examples.some((example) => example.includes(`facescan ${name}`)),
      name,
    ).toBe(true)
    const own = examples
      .filter((example) => example.startsWith(`facescan ${name}`))
      .map((example) => example.replace(/'[^']*'/g, '').split(' | ')[0] ?? '')
    const used = own.flatMap((example) => example.match(/(?<= )--?[a-z][\w-]*/g) ?? [])
    const known = [...global, ...flags.flatMap(({ long, short }) => [long, short ?? ''])]
    expect(
      used.filter((flag) => !known.includes(flag)),
      name,
    ).toEqual([])
  }
})

test('--color applies to errors and to the help', async () => {
  const [error, page] = ['users get --foo', 'users get --help']
  expect((await facescan(`${error} --color never`, { terminal: true })).stderr).not.toContain('\x1b')
  expect((await facescan(`${page} --color always`)).stdout).toContain('\x1b[1m')
  expect((await facescan(`${page} --color never`, { terminal: true })).stdout).not.toContain('\x1b')
})

test('the root help names every topic', async () => {
  const words = (await facescan('')).stdout.replace(/\s+/g, ' ')
  expect(words).toContain(`facescan help TOPIC ${topicNames.join(', ')}`)
})
