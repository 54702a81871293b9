import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeMissing } from '../../src/cli/describe-problems.ts'
import { parseWords } from '../../src/cli/parse.ts'
import { alreadyPrinted } from '../../src/framework/command-result.ts'
import { type Command, defineCommand } from '../../src/framework/define-command.ts'
import { argument, flag, optionalValue, restArgument, toggle } from '../../src/framework/options.ts'
import { integer, oneOf } from '../../src/framework/values.ts'
import fc from '../helpers/fast-check.ts'
import { lineOf } from '../helpers/line.ts'
import { holds } from '../helpers/property.ts'

const shades = ['red', 'blue'] as const
const command = defineCommand({
  user: 'token',
  args: { name: argument('<name>', 'a name'), rest: restArgument('[rest...]', 'more names') },
  options: {
    count: flag('--count <n>', 'how many', integer, { default: '1' }),
    shade: flag('--shade <shade>', 'shades', oneOf(shades), { many: true }),
    note: flag('--note <text>', 'a note'),
    exact: toggle('-x, --exact', 'to the letter'),
  },
  output: () => Promise.resolve(z.null()),
  view: { text: String },
  examples: [],
  check: ({ note, name }) => (note === name ? ['--note: is the name'] : []),
  run: async () => alreadyPrinted,
})
const output = () => Promise.resolve(z.null())
const bare = defineCommand({ output, view: { text: String }, examples: [], run: async () => alreadyPrinted })
const who = ['--external-user-id', '4711']
const token = { FACESCAN_ACTION_TOKEN: 'abc' }

function parse(words: readonly string[], env = {}, which: Command = command) {
  return parseWords('test', which, lineOf(['test', ...words]), env)
}

async function problemsOf(words: readonly string[], env = {}, which: Command = command) {
  const { missing, problems } = await parse(words, env, which)
  return [...describeMissing(which, missing), ...problems]
}

const inputOf = async (...args: Parameters<typeof parse>) => (await parse(...args)).input

test('arguments, command flags, and global flags can be in any order', async () => {
  const words = [
    '--json',
    'ann',
    '--count=3',
    ...who,
    'bob',
    '-x',
    '-q',
    '--shade',
    'red',
    '--shade=blue',
    'eve',
  ]
  const { input, flags } = await parse(words)
  expect(input).toMatchObject({ name: 'ann', rest: ['bob', 'eve'], user: { external_user_id: '4711' } })
  expect(input).toMatchObject({ count: 3, shade: ['red', 'blue'], exact: true })
  expect(flags).toMatchObject({ json: '', quiet: true, timeout: 30_000, retries: 3, header: true })
})

test('an omitted flag without a default is false, an empty list, or undefined', async () => {
  const { input, flags } = await parse(['ann', ...who])
  expect(input).toMatchObject({ name: 'ann', rest: [], count: 1, shade: [], exact: false, note: undefined })
  expect(flags).toMatchObject({ json: undefined, dryRun: false, input: true, maxTime: undefined })
})

test('a value after an equals sign and a word after -- can begin with a dash', async () => {
  const { input } = await parse(['--note=--exact', ...who, '--', '-x', '--json'])
  expect(input).toMatchObject({ note: '--exact', exact: false, name: '-x', rest: ['--json'] })
})

test('a flag with an optional value takes the value only after an equals sign', async () => {
  expect(await inputOf([...who, '--json', 'ann', '--', '--json'])).toMatchObject({
    name: 'ann',
    rest: ['--json'],
  })
  expect((await parse(['--json', 'ann', ...who])).flags.json).toBe('')
  expect((await parse(['--json=a,b', 'ann', ...who])).flags.json).toBe('a,b')
})

test('one error reports all invalid values with the names of their flags', async () => {
  const words = ['4711', 'ann', '--count', 'x', '--shade', 'green', '--timeout', 'soon', '--note', 'ann']
  expect(await problemsOf(words)).toEqual([
    '--count: "x" is not a whole number',
    '--shade: "green" is not one of red, blue',
    expect.stringContaining('--timeout: "soon" is not a valid duration'),
    '--note: is the name',
  ])
})

test('one error reports unknown flags, a missing value, and invalid values', async () => {
  expect(await problemsOf(['ann', '--exat', '--nte', 'x', '--timeout=soon', '--count'])).toEqual([
    'unknown flag --exat; did you mean "--exact"?',
    'unknown flag --nte; did you mean "--note"?',
    '--count needs a value',
    expect.stringContaining('--timeout: "soon" is not a valid duration'),
  ])
})

test.each([
  [['--exat', 'ann', ...who], /unknown flag --exat.*--exact/],
  [['--hlep', 'ann', ...who], /unknown flag --hlep; did you mean "--help"\?$/],
  [[...who], /^missing required argument name: /],
  [['ann', '--count'], /^--count needs a value$/],
  [['ann', ...who, '--lookup-key', 'height'], /^unknown flag --lookup-key$/],
  [['ann', ...who, '--api-key=abc'], /^unknown flag --api-key: secrets are not accepted/],
])('the words %j cause one error that names the invalid flag or argument', async (words, problem) => {
  expect(await problemsOf(words)).toEqual([expect.stringMatching(problem)])
})

test('the word -5x is an unknown flag, and the number -5 is an argument', async () => {
  expect(await problemsOf(['ann', '-5x', ...who])).toEqual(['unknown flag -5'])
  expect(await inputOf(['ann', '-5', ...who])).toMatchObject({ name: 'ann', rest: ['-5'] })
})

test('too many arguments are an error', async () => {
  expect(await problemsOf(['ann'], {}, bare)).toEqual([expect.stringMatching(/too many arguments/)])
})

test('if field names follow "--json" after a space, the error suggests an equals sign', async () => {
  expect(await problemsOf(['--json', 'user_id', ...who], {}, external)).toEqual([
    expect.stringMatching(
      /^more than one user ID; pass exactly one\. Pass the value of --json after an equals sign: --json=user_id$/,
    ),
  ])
})

test('the error for a word after a flag with an optional value suggests an equals sign', async () => {
  const scanLink = { ...external, options: { wait: optionalValue('--wait [time]', 'a wait') } }
  expect(await problemsOf(['--wait', '3s', '4711'], {}, scanLink)).toEqual([
    expect.stringMatching(/Pass the value of --wait after an equals sign: --wait=3s$/),
  ])
})

test.each([
  ['the name of the command after --json', ['--json', 'test', 'extra']],
  ['--json after --', ['test', '--', '--json', 'extra']],
])(
  'for %s, the error does not suggest an equals sign between the flag and the next word',
  async (_, words) => {
    const { problems } = await parseWords('test', bare, lineOf(words), {})
    expect(problems.join()).toMatch(/^too many arguments: facescan test accepts no arguments$/)
  },
)

test('if a command has no arguments of its own, the user ID is its only argument', async () => {
  expect(await inputOf(['4711'], {}, external)).toMatchObject({ user: { external_user_id: '4711' } })
  expect(await problemsOf(['4711', ...who], {}, external)).toEqual([
    'more than one user ID; pass exactly one',
  ])
  expect(await problemsOf(['4711'], token, { ...external, user: 'token', takesToken: true })).toEqual([
    expect.stringMatching(/^FACESCAN_ACTION_TOKEN already identifies the user/),
  ])
})

test.each([['--key-file', 'f'], ['--key-stdin']])(
  '%s overrides an action token in the environment, so the user ID is required',
  async (...flag) => {
    const reading = { ...external, takesToken: true }
    expect(await inputOf(['4711', ...flag], token, reading)).toMatchObject({
      user: { external_user_id: '4711' },
    })
    expect(await problemsOf(flag, token, reading)).toEqual([expect.stringContaining('user ID is missing')])
  },
)

const named = { ...command, args: { name: argument('<name>', 'a name') } }

test('if a command has other arguments, the user ID is its first argument', async () => {
  const expected = { user: { external_user_id: '4711' }, name: 'ann' }
  expect(await inputOf(['4711', 'ann'], {}, named)).toMatchObject(expected)
  expect(await inputOf(['ann', ...who], {}, named)).toMatchObject(expected)
  expect(await inputOf(['ann'], token, named)).toMatchObject({ user: undefined, name: 'ann' })
  expect(await problemsOf(['4711', 'ann', 'eve'], {}, named)).toEqual([
    'too many arguments: facescan test accepts only [external-user-id] <name>. Quote a value that contains a space',
  ])
  expect(await problemsOf(['4711', 'ann', ...who], {}, named)).toEqual([
    'too many arguments: facescan test accepts only <name>. A flag or an action token already selects the user',
  ])
})

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const external = defineCommand({
  user: 'external',
  output,
  view: { text: String },
  examples: [],
  run: async () => alreadyPrinted,
})

test.each([
  [
    'two kinds of user ID',
    ['ann', ...who, '--user-id', uuid],
    {},
    command,
    /^more than one user ID; pass exactly one$/,
  ],
  ['an empty user ID', ['ann', '--external-user-id', ''], {}, command, /^the user ID is empty$/],
  ['a malformed user ID', ['ann', '--user-id', '5151'], {}, command, /"5151" is not a valid UUID/],
  [
    'a user ID and a token',
    ['ann', ...who],
    token,
    command,
    /^FACESCAN_ACTION_TOKEN already identifies the user/,
  ],
  [
    'a user ID and a token file',
    ['ann', ...who, '--action-token', 'f'],
    {},
    command,
    /^--action-token already identifies the user/,
  ],
  [
    'a token on the command line',
    ['ann', '--action-token', 'eyJhbGciOiJI.eyJleHA.c2ln'],
    {},
    command,
    /not the token/,
  ],
  ['a token for a command that needs a key', ['--action-token', 'f', ...who], {}, external, /use an API key/],
  [
    'a user ID for a command that needs the external user ID',
    ['--user-id', uuid],
    {},
    external,
    /^--user-id is not supported here; pass the external user ID$/,
  ],
  ['a missing user', [], {}, external, /^external user ID is missing$/],
])('a command for one user reports an error for %s', async (_, words, env, which, problem) => {
  expect(await problemsOf(words, env, which)).toEqual([expect.stringMatching(problem)])
})

test('a command with an action token needs no user ID', async () => {
  expect(await problemsOf(['ann'], token)).toEqual([])
  expect(await problemsOf(who, token, external)).toEqual([])
})

const word = fc.oneof(
  fc.constantFrom(
    '--json',
    '--',
    '-',
    '-x',
    '--exact',
    '--count',
    '--shade',
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
  'random words are parsed, or are rejected with a message for each problem',
  fc.asyncProperty(fc.array(word, { maxLength: 8 }), fc.constantFrom({}, token), async (words, env) => {
    const { input, flags } = await parse(words, env)
    const problems = await problemsOf(words, env)
    if (problems.length === 0) {
      expect(input).toMatchObject({ name: expect.any(String), rest: expect.any(Array) })
      expect(Object.keys(input)).toEqual(expect.arrayContaining(['count', 'shade', 'note', 'exact', 'user']))
      expect([typeof input['count'], typeof flags.timeout]).toEqual(['number', 'number'])
    }
    expect(problems.every((problem) => problem.trim() !== '')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  }),
)

holds(
  'random values of flags and arguments are passed to the command unchanged',
  fc.asyncProperty(
    fc.string({ minLength: 1 }),
    fc.string(),
    fc.array(fc.string()),
    fc.integer(),
    async (id, note, rest, count) => {
      fc.pre(note !== 'ann')
      const words = [`--external-user-id=${id}`, `--note=${note}`, `--count=${count}`, '--', 'ann', ...rest]
      const { input } = await parse(words)
      expect(input).toMatchObject({ name: 'ann', rest, note, count, user: { external_user_id: id } })
    },
  ),
)

test.each([
  [['--external-user-id', '4711', '--no-external-user-id']],
  [['--no-external-user-id', '--external-user-id', '4711']],
])('a command that creates users refuses the conflicting flags %j', async (words) => {
  const creation = defineCommand({
    user: 'new',
    output,
    view: { text: String },
    examples: [],
    run: async () => alreadyPrinted,
  })
  expect(await problemsOf(words, {}, creation)).toEqual([
    '--no-external-user-id cannot be used with an external user ID',
  ])
})

test('a flag that needs a value accepts -q as its value only after an equals sign', async () => {
  const words = ['4711', 'ann', '--note', '-q']
  expect(await problemsOf(words)).toEqual(['--note needs a value'])
  expect(await inputOf(['4711', 'ann', '--note=-q'])).toMatchObject({ note: '-q' })
})
