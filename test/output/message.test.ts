import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type FacescanError, ServiceError, UsageError } from '../../src/base/errors.ts'
import { installLines } from '../../src/framework/shells.ts'
import { formatMessage } from '../../src/output/message.ts'
import { printError } from '../../src/output/print-error.ts'
import type { OutputFormat } from '../../src/output/settings.ts'
import { createMachine } from '../helpers/facescan.ts'
import { Collector, penFor, type Screen } from './screen.ts'

async function shown(
  error: FacescanError,
  screen: Screen = {},
  format: OutputFormat = 'table',
): Promise<string> {
  const stderr = new Collector()
  await printError(error, format, { stderr, terminal: await penFor(screen) })
  return stderr.text
}

const missing = new ServiceError('not_found', 'No user 4711.', {
  status: 404,
  requestId: 'r-1',
  hint: 'Create the user first.',
})

test('an error prints every problem and then the hint', async () => {
  const error = new UsageError(['--sex: X is neither M nor F', '--birth-date: no date'], {
    hint: 'See --help.',
  })
  expect(await shown(error, { width: 80 })).toBe(
    '✗ --sex: X is neither M nor F\n✗ --birth-date: no date\n→ See --help.\n',
  )
})

test('a message starts with a word instead of a symbol if ACCESSIBLE is set', async () => {
  expect(await shown(missing)).toBe('error: No user 4711.\nhint: Create the user first.\nrequest ID: r-1\n')
  expect(await shown(missing, { width: 80, env: { ACCESSIBLE: '1' } })).toMatch(/^error: No user/)
})

test.each(['json', 'csv'] as const)(
  'with -o %s, an error is one line of JSON with all details',
  async (format) => {
    expect(await shown(missing, { width: 80 }, format)).toBe(
      '{"error":{"code":"not_found","message":"No user 4711.","status":404,"request_id":"r-1","retryable":false,' +
        '"retry_after":null,"hint":"Create the user first.","problems":[],"exit_code":4}}\n',
    )
  },
)

test('control characters in an error from the service are escaped', async () => {
  expect(await shown(new ServiceError('rejected', 'no\u001b[2J\u202e'), { width: 80 })).toBe(
    '✗ no\\x1b[2J\\u202e\n',
  )
})

const long = 'x'.repeat(60_000)
const start = 'x'.repeat(60)
test.each([
  [
    'a quoted value',
    `unknown column "${long}" in a.csv`,
    `unknown column "${start}…" (60,000 characters) in a.csv`,
  ],
  ['a quoted text with spaces', `run 'x ${long}' now`, `run 'x ${start.slice(2)}…' (60,002 characters) now`],
  [
    'a word',
    `Show the user: facescan users get ${long}`,
    `Show the user: facescan users get ${start}… (60,000 characters)`,
  ],
  ['a flag', `use --keep=${long}`, `use --keep=${start.slice(7)}… (60,007 characters)`],
  ['an unquoted text with spaces', 'ab '.repeat(20_000), `${'ab '.repeat(6_666)}ab… (60,000 characters)`],
  [
    'an emoji at the cut',
    `"${'x'.repeat(59)}${'😀'.repeat(2_000)}"`,
    `"${'x'.repeat(59)}😀…" (4,059 characters)`,
  ],
])('%s of more than 2,000 characters is shortened in a message', async (_, text, expected) => {
  const terminal = await penFor({})
  expect(formatMessage('note', text, terminal)).toBe(`${expected}\n`)
  const error = new UsageError([text])
  expect(await shown(error)).toBe(`error: ${expected}\n`)
  const { message, problems } = JSON.parse(await shown(error, {}, 'json')).error
  expect([message, problems[0].message]).toEqual([expected, expected])
  expect(await shown(new ServiceError('server', 'x', { requestId: text }))).toContain(
    `request ID: ${expected}\n`,
  )
})

test.each(['table', 'json'] as const)(
  'with -o %s, a secret in a long word is hidden before the word is shortened',
  async (format) => {
    const stderr = new Collector()
    const error = new UsageError(`unknown word "${long}"`, { hint: `run ${long}` })
    const hide = (text: string) => text.replaceAll(long, '(hidden)')
    await printError(error, format, { stderr, terminal: await penFor({}), hide })
    expect(stderr.text).toContain('(hidden)')
    expect(stderr.text).not.toContain('xxx')
  },
)

test('a hint and an equivalent command of 60,000 characters are printed completely', async () => {
  const command = `facescan answers import a.csv --ignore-columns 'a b,${long}'`
  const error = new UsageError('x', { hint: `Check the flags, then run: ${command}` })
  expect(await shown(error)).toContain(`run: ${command}\n`)
  expect(JSON.parse(await shown(error, {}, 'json')).error.hint).toContain(`run: ${command}`)
  const line = `equivalent command: ${command}`
  expect(formatMessage('note', line, await penFor({}))).toBe(`${line}\n`)
})

test('continuation lines of a long message are aligned with its first word', async () => {
  const terminal = await penFor({ width: 30 })
  expect(formatMessage('note', 'The service is busy, trying again in 4 s.', terminal)).toBe(
    '· The service is busy, trying\n  again in 4 s.\n',
  )
})

test('if ACCESSIBLE is set, a long message wraps between words on a terminal, but not in a pipe', async () => {
  const text = 'The service is busy, trying again in 4 s.'
  const terminal = await penFor({ width: 30, env: { ACCESSIBLE: '1' } })
  expect(formatMessage('warning', text, terminal)).toBe(
    'warning: The service is busy,\ntrying again in 4 s.\n',
  )
  expect(formatMessage('warning', text, await penFor({}))).toBe(`warning: ${text}\n`)
})

test('a command at the end of a long message is printed on its own lines', async () => {
  const terminal = await penFor({ width: 40 })
  expect(
    formatMessage(
      'note',
      'next: facescan sandbox scan --count 30 --days 30 --user-id 5151d12e-2f9a',
      terminal,
    ),
  ).toBe(
    ['· next:', '  facescan sandbox scan --count 30 \\', '    --days 30 --user-id 5151d12e-2f9a', ''].join(
      '\n',
    ),
  )
  for (const line of Object.values(installLines)) {
    const lines = formatMessage('note', `to install the script: ${line}`, terminal)
      .trimEnd()
      .split('\n')
      .slice(1)
    expect(lines.map((part) => part.trim().replace(/\\$/, '')).join('')).toBe(line)
  }
  const sentences = 'too many arguments: facescan summary accepts only <profile>. Pass the user.'
  expect(formatMessage('error', sentences, terminal)).not.toContain('\\')
  expect(formatMessage('note', 'See it with: facescan status', terminal)).toBe(
    '· See it with: facescan status\n',
  )
})

test.each([
  "'Remarks. All (old)=external_user_id'",
  "'Warning: my name=external_user_id'",
  "'it'\\''s. All (old)=external_user_id'",
  "'Notes && more -x of the user=external_user_id'",
  '"Name. First -y (of the user)=external_user_id"',
])('a command with the quoted column %s is printed on its own lines and can be pasted', async (column) => {
  const terminal = await penFor({ width: 50 })
  const command = `facescan users import staff.csv --map ${column} --existing update --profile ACME`
  const hint = formatMessage('hint', `If it doesn't fit, add it to: ${command}`, terminal)
  const [first, ...lines] = hint.trimEnd().split('\n')
  expect(first).toBe("→ If it doesn't fit, add it to:")
  const wordsOf = (text: string) => execFileSync('sh', ['-c', `printf '<%s>' ${text}`], { encoding: 'utf8' })
  expect(wordsOf(lines.join('\n'))).toBe(wordsOf(command))
})

test('with --json, an error lists several problems with their lines and columns', async () => {
  const invalid = new UsageError([
    '2 invalid rows; nothing was sent',
    {
      line: 3,
      column: 'value',
      code: 'not_integer',
      message: 'not a number',
      text: 'line 3, column value: not a number',
    },
    { line: 5, message: 'the user ID is empty' },
  ])
  const { error } = JSON.parse(await shown(invalid, { width: 80 }, 'json'))
  expect(error).toMatchObject({
    message: '2 invalid rows; nothing was sent',
    problems: [
      { line: 3, column: 'value', code: 'not_integer', message: 'not a number' },
      { line: 5, column: null, code: null, message: 'the user ID is empty' },
    ],
  })
})

test('if an error is printed as JSON and its message has line breaks, the output is one line', async () => {
  const problems = [{ message: 'body.sex: bad' }, { message: 'body.0: worse' }]
  const refused = new ServiceError(
    'rejected',
    'the service rejected some fields (422):\n  body.sex: bad\n  body.0: worse',
    {
      problems,
    },
  )
  const { error } = JSON.parse(await shown(refused, { width: 80 }, 'json'))
  expect(error.message).toBe('the service rejected some fields (422)')
  expect(error.problems.map(({ message }: { message: string }) => message)).toEqual([
    'body.sex: bad',
    'body.0: worse',
  ])
})

test('an error on a terminal is printed as text, even if --json is set', async () => {
  const ran = await createMachine().facescan('users get nobody -p SANDBOX-DEV --json', { terminal: true })
  expect(ran.stderr).toContain('user "nobody" not found')
  expect(ran.stderr).not.toContain('{"error"')
})
