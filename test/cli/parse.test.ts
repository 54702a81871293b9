import { expect, test } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { parseWords } from '../../src/cli/parse.ts'
import { sortCommandWords } from '../../src/cli/sort-command-words.ts'
import { type Command, defineCommand } from '../../src/command/define-command.ts'
import { integer } from '../../src/command/values.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

const colours = ['red', 'blue'] as const
const command = defineCommand({
  user: 'token',
  args: [
    ['<name>', 'a name'],
    ['[rest...]', 'more names'],
  ],
  options: [
    ['--count <n>', 'how many', { parse: integer, default: 1 }],
    ['--colour <colour>', 'which colours', { choices: colours, many: true }],
    ['--note <text>', 'a note'],
    ['-x, --exact', 'to the letter'],
  ],
  examples: [],
  check: ({ note }, [name]) => (note === name ? ['--note: is the name'] : []),
  run: async () => undefined,
})
const bare = defineCommand({ examples: [], run: async () => undefined })
const who = ['--external-user-id', '4711']

function parse(words: readonly string[], env = {}, which: Command = command) {
  return parseWords('test', which, sortCommandWords('test', which, ['test', ...words]), env)
}

function problemsOf(words: readonly string[], env = {}, which: Command = command): readonly string[] {
  try {
    parse(words, env, which)
  } catch (error) {
    if (error instanceof UsageError) return error.problems
    throw error
  }
  return []
}

test('arguments, own flags and global flags come in any order', () => {
  const words = [
    '--json',
    'ann',
    '--count=3',
    ...who,
    'bob',
    '-x',
    '-q',
    '--colour',
    'red',
    '--colour=blue',
    'eve',
  ]
  const { args, options, flags } = parse(words)
  expect(args).toEqual(['ann', ['bob', 'eve']])
  expect(options).toMatchObject({ count: 3, colour: ['red', 'blue'], exact: true, externalUserId: '4711' })
  expect(flags).toMatchObject({ json: '', quiet: true, timeout: 30_000, retries: 3, header: true })
})

test('what is absent is false, a default, an empty list or undefined', () => {
  const { args, options, flags } = parse(['ann', ...who])
  expect(args).toEqual(['ann', []])
  expect(options).toMatchObject({ count: 1, colour: [], exact: false, note: undefined, userId: undefined })
  expect(flags).toMatchObject({ json: undefined, dryRun: false, input: true, maxTime: undefined })
})

test('a value may begin with a dash after an equals sign, and words after -- are never flags', () => {
  const { args, options } = parse(['--note=--exact', ...who, '--', '-x', '--json'])
  expect(options).toMatchObject({ note: '--exact', exact: false })
  expect(args).toEqual(['-x', ['--json']])
})

test('an optional value follows an equals sign; the next word is an argument', () => {
  expect(parse([...who, '--json', 'ann', '--', '--json']).args).toEqual(['ann', ['--json']])
  expect(parse(['--json', 'ann', ...who]).flags.json).toBe('')
  expect(parse(['--json=a,b', 'ann', ...who]).flags.json).toBe('a,b')
})

test('every wrong value is reported at once, with the name of its flag', () => {
  const words = ['ann', '--count', 'x', '--colour', 'green', '--timeout', 'soon', '--note', 'ann']
  expect(problemsOf(words)).toEqual([
    '--count: "x" is not a whole number',
    '--colour: "green" is not one of red, blue',
    expect.stringContaining('--timeout: "soon" is not a duration'),
    'which user? Give --external-user-id ID or --user-id UUID',
    '--note: is the name',
  ])
})

test('unknown flags, a missing value and invalid values are reported together', () => {
  expect(problemsOf(['ann', '--exat', '--nte', 'x', '--timeout=soon', '--count'])).toEqual([
    'unknown option --exat. Did you mean --exact?',
    'unknown option --nte. Did you mean --note?',
    '--count needs a value',
    expect.stringContaining('--timeout: "soon" is not a duration'),
  ])
})

test.each([
  [['--exat', 'ann', ...who], /unknown option --exat.*--exact/],
  [[...who], /^name is missing: /],
  [['ann', '--count'], /^--count needs a value$/],
  [['ann', ...who, '--lookup-key', 'height'], /^unknown option --lookup-key$/],
  [['ann', ...who, '--api-key=abc'], /^unknown option --api-key: secrets are never/],
])('%j is refused by name', (words, problem) => {
  expect(problemsOf(words)).toEqual([expect.stringMatching(problem)])
})

test('words that no argument takes are refused', () => {
  expect(problemsOf(['ann'], {}, bare)).toEqual([expect.stringMatching(/too many arguments/)])
})

test('the error for fields after "--json " shows the equals sign', () => {
  expect(problemsOf(['--json', 'user_id', ...who], {}, external)).toEqual([
    expect.stringMatching(
      /takes no argument\. The value of --json follows an equals sign: --json=\[fields\]$/,
    ),
  ])
})

test('the error for a user without a flag shows the flag', () => {
  expect(problemsOf(['4711', ...who], {}, external)).toEqual([
    expect.stringMatching(/takes no argument\. A user is named with --external-user-id ID$/),
  ])
})

test('a command that follows one of its own flags with a value is refused', () => {
  expect(() => sortCommandWords('users get', external, ['--external-user-id', 'users', 'get'])).toThrow(
    'write the command before its flags: facescan users get',
  )
})

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const token = { FACESCAN_ACTION_TOKEN: 'abc' }
const external = defineCommand({ user: 'external', examples: [], run: async () => undefined })

test.each([
  ['both identifiers', ['ann', ...who, '--user-id', uuid], {}, command, /exclude each other/],
  ['an empty identifier', ['ann', '--external-user-id', ''], {}, command, /user id is empty/],
  ['a malformed identifier', ['ann', '--user-id', '5151'], {}, command, /"5151" is not a UUID/],
  ['an identifier and a token', ['ann', ...who], token, command, /FACESCAN_ACTION_TOKEN implies its user/],
  [
    'an identifier and a token file',
    ['ann', ...who, '--action-token', 'f'],
    {},
    command,
    /--action-token implies/,
  ],
  [
    'a token on the command line',
    ['ann', '--action-token', 'eyJhbGciOiJI.eyJleHA.c2ln'],
    {},
    command,
    /never the token/,
  ],
  [
    'a token where only a key will do',
    ['--action-token', 'f', ...who],
    {},
    external,
    /takes an API key here/,
  ],
  [
    'the id of the service where only your own will do',
    ['--user-id', uuid],
    {},
    external,
    /takes only your own id/,
  ],
  ['nobody', [], {}, external, /Give --external-user-id ID$/],
])('%s is refused', (_, words, env, which, problem) => {
  expect(problemsOf(words, env, which)).toEqual([expect.stringMatching(problem)])
})

test('a token implies its user, where one is taken', () => {
  expect(problemsOf(['ann'], token)).toEqual([])
  expect(problemsOf(who, token, external)).toEqual([])
})

const word = fc.oneof(
  fc.constantFrom(
    '--json',
    '--',
    '-',
    '-x',
    '--exact',
    '--count',
    '--colour',
    'red',
    '--note',
    '-o',
    'json',
    '-qx',
  ),
  fc.constantFrom(
    '--external-user-id',
    '--user-id',
    uuid,
    '--no-exact',
    '--no-header',
    '--count=',
    '-h',
    '--action-token',
  ),
  fc.constantFrom('__proto__', 'constructor', '--__proto__', '--constructor=1', '--toString'),
  fc.string(),
  fc.string().map((text) => `--${text}`),
  fc.string({ unit: 'binary' }),
)

holds(
  'any words are an invocation of the right shape, or a usage error that says something',
  fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom({}, token), (words, env) => {
    try {
      const { args, options, flags } = parse(words, env)
      expect(args).toEqual([expect.any(String), expect.any(Array)])
      expect(Object.keys(options)).toEqual(['externalUserId', 'userId', 'count', 'colour', 'note', 'exact'])
      expect([typeof options['count'], typeof flags.timeout]).toEqual(['number', 'number'])
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
      expect((error as UsageError).problems.every((problem) => problem.trim() !== '')).toBe(true)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  }),
)

holds(
  'any values arrive as they were written',
  fc.property(
    fc.string({ minLength: 1 }),
    fc.string(),
    fc.array(fc.string()),
    fc.integer(),
    (id, note, rest, count) => {
      fc.pre(note !== 'ann')
      const words = [`--external-user-id=${id}`, `--note=${note}`, `--count=${count}`, '--', 'ann', ...rest]
      const { args, options } = parse(words)
      expect(args).toEqual(['ann', rest])
      expect(options).toMatchObject({ externalUserId: id, note, count })
    },
  ),
)
