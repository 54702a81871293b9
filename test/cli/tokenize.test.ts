import { expect, test } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { chooseErrorFormat } from '../../src/cli/choose-output.ts'
import { locateCommand } from '../../src/cli/main.ts'
import { tokenize } from '../../src/cli/tokenize.ts'
import { outputFormats } from '../../src/output/settings.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

const read = (line: string) => tokenize(line.split(' ').filter(Boolean))
const locate = async (line: string) => locateCommand(await read(line))

test.each([
  ['users get --json', 'users get'],
  ['metrics --external-user-id 4711', 'metrics'],
  ['--profile users users -o json get x', 'users get'],
  ['-q users --debug get', 'users get'],
  ['--output=json users get', 'users get'],
  ['-qojson users get', 'users get'],
  ['api GET -- --x', 'api'],
  ['--json users get', 'users get'],
])('the command line "%s" runs the command "%s"', async (line, name) => {
  expect(await locate(line)).toMatchObject({ kind: 'command', name })
})

test.each([
  '',
  '--help',
  '-q',
  '--profile users',
  '-pACME',
  '--output=json',
  '--json --color never',
  '--foo --help',
  '-o json -- ',
])('the command line "%s" shows the main help', async (line) => {
  expect(await locate(line)).toMatchObject({ kind: 'root' })
})

test.each(['users', 'users --help', 'users -h', '-q users'])(
  'the command line "%s" shows the help for a group of commands',
  async (line) => {
    expect(await locate(line)).toMatchObject({ kind: 'branch', name: 'users' })
  },
)

test.each([
  ['--profile', /^--profile needs a value$/],
  ['-q -o', /^-o needs a value$/],
  ['users --profile', /^--profile needs a value$/],
  ['--foo', /^unknown flag --foo$/],
  ['--foo -o', /^unknown flag --foo\n-o needs a value$/],
  ['--profil ACME users get', /^unknown flag --profil; did you mean "--profile"\?$/],
  ['--external-user-id 4711 users get', /^unknown flag --external-user-id$/],
  ['--if-not-exists users create', /^the command must come before its flags: facescan users create$/],
  ['--external-user-id users get', /^the command must come before its flags: facescan users get$/],
  ['users --if-not-exists create', /^the command must come before its flags: facescan users create$/],
  ['users --foo', /^unknown flag --foo$/],
  ['users --foo bar', /^unknown flag --foo$/],
  ['users --api-key abc', /^unknown flag --api-key: secrets are not accepted/],
  ['--api-key abc', /^unknown flag --api-key: secrets are not accepted/],
  ['--api-key=abc', /^unknown flag --api-key: secrets are not accepted/],
  ['-kabc', /^unknown flag -k$/],
  ['user --foo', /^unknown command "user"; did you mean "facescan users"/],
])(
  'the command line "%s" is refused, and the error does not contain the value of the flag',
  async (line, message) => {
    await expect(locate(line)).rejects.toThrow(message)
  },
)

test.each([
  ['--help', 'requests'],
  ['users get -qh', 'requests'],
  ['users create --external-user-id --help', 'requests'],
  ['users get -- --help', 'does not request'],
  ['help users', 'does not request'],
])('the command line "%s" %s help', async (line, verb) => {
  expect((await read(line)).wantsHelp).toBe(verb === 'requests')
})

test.each([
  ['-V', 'requests'],
  ['users get -q --version', 'requests'],
  ['version', 'does not request'],
])('the command line "%s" %s the version', async (line, verb) => {
  expect((await read(line)).wantsVersion).toBe(verb === 'requests')
})

test.each([
  ['--color never', 'never'],
  ['--color=always users get --foo', 'always'],
  ['--foo --color never', 'never'],
  ['--color blue', 'auto'],
  ['--color', 'auto'],
  ['-- --color never', 'auto'],
])('the command line "%s" selects the color mode %s', async (line, color) => {
  expect((await read(line)).color).toBe(color)
})

const word = fc.oneof(
  fc.constantFrom('users', 'get', 'api', 'metrics', 'toString', '__proto__', '-5'),
  fc.constantFrom('-o', '--json', '--', '--profile', '-p', '--help', '--no-header', '--__proto__'),
  fc.string(),
)

holds(
  'random words cause a usage error if they do not select a command, a group of commands, or the main help',
  fc.asyncProperty(
    fc.array(word, { maxLength: 8 }),
    fc.option(fc.string(), { nil: undefined }),
    async (argv, format) => {
      const line = await tokenize(argv)
      expect(outputFormats).toContain(chooseErrorFormat(line, { FACESCAN_OUTPUT: format }))
      try {
        expect(['command', 'branch', 'root']).toContain((await locateCommand(line)).kind)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
      }
    },
  ),
)
