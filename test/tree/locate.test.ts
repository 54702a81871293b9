import { expect, test } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { guessFormat } from '../../src/cli/choose-output.ts'
import { outputFormats } from '../../src/output/settings.ts'
import { locate } from '../../src/tree/locate.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

const split = (line: string) => line.split(' ').filter(Boolean)

test.each([
  ['users get --json', 'users get', ['--json']],
  ['metrics --external-user-id 4711', 'metrics', ['--external-user-id', '4711']],
  ['--profile users users -o json get x', 'users get', ['--profile', 'users', '-o', 'json', 'x']],
  ['-q users --debug get', 'users get', ['-q', '--debug']],
  ['--output=json users get', 'users get', ['--output=json']],
  ['users get get users', 'users get', ['get', 'users']],
  ['api GET -- --x', 'api', ['GET', '--', '--x']],
])('"%s" is %s', (line, name, words) => {
  expect(locate(split(line))).toMatchObject({ kind: 'command', name, words })
})

test.each(['', '--help', '-q', '-- users get', '--profile users'])('"%s" names no command', (line) => {
  expect(locate(split(line))).toEqual({ kind: 'root' })
})

test.each(['users', 'users --help', 'users -h', '-q users'])('"%s" names a group', (line) => {
  expect(locate(split(line))).toMatchObject({ kind: 'branch', name: 'users' })
})

test.each([
  ['user get', /unknown command "user".*Did you mean "facescan users"/],
  ['users gte', /unknown command "users gte".*Did you mean "facescan users get"/],
  ['users show', /Did you mean "facescan users get"/],
  ['profiles delete X', /Did you mean "facescan profiles remove"/],
  ['login', /Did you mean "facescan profiles add"/],
  ['version', /Did you mean "facescan --version"/],
  ['dashboard', /Did you mean "facescan dashboard-url"/],
  ['users __proto__', /unknown command "users __proto__"/],
  ['constructor', /unknown command "constructor"/],
  ['qqqqqqqqqq', /^unknown command "qqqqqqqqqq"$/],
])('"%s" is no command, and a near one is named', (line, message) => {
  expect(() => locate(split(line))).toThrow(message)
  expect(() => locate(split(line))).toThrow(UsageError)
})

test.each([
  ['--profile', /^--profile needs a value$/],
  ['-q -o', /^-o needs a value$/],
  ['users --profile', /^--profile needs a value$/],
  ['--foo', /^unknown option --foo$/],
  ['--profil ACME users get', /^unknown option --profil\. Did you mean --profile\?$/],
  ['users --foo', /^unknown option --foo$/],
  ['users --api-key abc', /^unknown option --api-key: secrets are never/],
  ['--api-key abc', /^unknown option --api-key: secrets are never/],
  ['--api-key=abc', /^unknown option --api-key: secrets are never/],
  ['-kabc', /^unknown option -k$/],
])('"%s" is refused for its flag, whose value is not repeated', (line, message) => {
  expect(() => locate(split(line))).toThrow(message)
})

test.each(['-pACME', '--output=json', '--json --color never', '--foo --help', '-o json -- --foo'])(
  '"%s" asks for help only',
  (line) => {
    expect(locate(split(line))).toEqual({ kind: 'root' })
  },
)

const word = fc.oneof(
  fc.constantFrom(
    'users',
    'get',
    'api',
    'metrics',
    '-o',
    '--json',
    '--',
    '--profile',
    '-p',
    '--help',
    'toString',
    '__proto__',
  ),
  fc.string(),
)

holds(
  'any words are a command, a group, nothing or a usage error, and their error has a format',
  fc.property(
    fc.array(word, { maxLength: 8 }),
    fc.option(fc.string(), { nil: undefined }),
    (words, format) => {
      expect(outputFormats).toContain(guessFormat(words, { FACESCAN_OUTPUT: format }))
      try {
        const located = locate(words)
        if (located.kind !== 'command') return
        expect(located.words).toHaveLength(words.length - located.name.split(' ').length)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
      }
    },
  ),
)
