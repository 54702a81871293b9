import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hang, reply, serve } from '../helpers/hostile-server.ts'
import { openPty, type Pty } from '../helpers/pty.ts'

let home: string
let pty: Pty | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'facescan-prompts-'))
})
afterEach(() => pty?.close())

const down = '\x1b[B'

function facescan(line: string, env: Record<string, string> = { NO_COLOR: '1' }): Pty {
  pty = openPty(process.execPath, ['bin/facescan.js', ...line.split(' ')], {
    columns: 100,
    env: {
      HOME: home,
      ...env,
      TZ: 'Europe/Amsterdam',
      FACESCAN_CONFIG_DIR: join(home, 'config'),
      FACESCAN_STATE_DIR: join(home, 'state'),
    },
  })
  return pty
}

test('users create prompts for an ID and for optional fields, and shows the equivalent command', async () => {
  const terminal = facescan('users create --profile SANDBOX-DEV')
  await terminal.waitFor(/External user ID/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth/)
  terminal.type('1984-02-30\r')
  await terminal.waitFor(/is not a valid date/)
  terminal.type('\x7f\x7f29\r')
  await terminal.waitFor(/Sex at birth/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/Default language/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/Preferred unit system/)
  terminal.type('\r')
  await terminal.waitFor(/equivalent command:[\s\S]*Run this command/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/next:/)
  expect(screen.replace(/ ?\\?\n\s*/g, ' ')).toContain(
    'facescan users create --profile SANDBOX-DEV 4711 --birth-date 1984-02-29 --sex F --language nl',
  )
  expect(screen).toMatch(/Date of birth +1984-02-29/)
  expect(await terminal.ended).toBe(0)
})

test('Enter at each optional prompt stores no value', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  for (const label of [
    /Date of birth/,
    /Sex at birth/,
    /Default language/,
    /Preferred unit system/,
    /Run this/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  const screen = await terminal.waitFor(/next:/)
  expect(screen).toMatch(/equivalent command: facescan users create 4711$/m)
  expect(screen).toMatch(/Date of birth +–\nSex at birth +–/)
})

test('the equivalent command keeps an ID that starts with a dash separate from the flags', async () => {
  const terminal = facescan('users create --sex F')
  await terminal.waitFor(/External user ID/)
  terminal.type('-4711\r')
  const screen = await terminal.waitFor(/next:/)
  expect(screen).toMatch(/equivalent command: facescan users create --sex F -- -4711$/m)
})

test.each([
  ['1899-12-31', /must be 1900-01-01 or later/],
  ['2999-01-01', /is in the future/],
])('the birth date %s is refused at the prompt', async (date, problem) => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth/)
  terminal.type(`${date}\r`)
  await terminal.waitFor(problem)
})

test('an ID that already exists is refused at its prompt', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/user "4711" already exists/)
})

const wrongKey = { FACESCAN_API_KEY: 'not-a-real-key-0123456789-0123456789-abcd' }

test.each(['0', '1'])(
  'with ACCESSIBLE=%s, a prompt whose check cannot reach the service ends with the error',
  async (ACCESSIBLE) => {
    const unreachable = { ...wrongKey, ACCESSIBLE, NO_COLOR: '1', FACESCAN_BASE_URL: 'http://127.0.0.1:1' }
    const refused = facescan('users create --retries 0', unreachable)
    await refused.waitFor(/External user ID/)
    refused.type('4711\r')
    expect(await refused.ended).toBe(9)
    expect(refused.screen().join('\n')).toMatch(
      /(✗|error:) 127\.0\.0\.1:1: connection refused\n(→|hint:) .*$/,
    )
  },
)

test('a rejected key is reported before the second prompt', async () => {
  const server = await serve(() => reply(401, { detail: 'invalid credentials' }))
  const terminal = facescan('users create', { ...wrongKey, NO_COLOR: '1', FACESCAN_BASE_URL: server.url })
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  expect(await terminal.ended).toBe(3)
  expect(terminal.screen().join('\n')).not.toContain('Date of birth')
  await server.close()
})

test('Esc returns to the previous prompt and keeps all answers', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/Esc returns to the previous question[\s\S]*External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/\? Date of birth/)
  terminal.type('1984-02-29\r')
  await terminal.waitFor(/\? Sex at birth/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/\? Default language/)
  terminal.type('\x1b')
  await terminal.waitFor(/\? Sex at birth[\s\S]*❯ female/)
  terminal.type('\x1b')
  await terminal.waitFor(/\? Date of birth .* 1984-02-29$/)
  terminal.type('\x7f8\r')
  for (const label of [
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
    /\? Run this command/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  const screen = await terminal.waitFor(/Date of birth +1984-02-28/)
  expect(screen).toMatch(/Sex at birth +F/)
})

test('Esc at the final question returns to the last prompt, and the answer no creates nothing', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  for (const label of [
    /\? Date of birth/,
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  await terminal.waitFor(/create 4711\n\? Run this command/)
  terminal.type('\x1b')
  const screen = await terminal.waitFor(/\? Preferred unit system/)
  expect(screen).not.toContain('equivalent command')
  terminal.type(`${down}\r`)
  await terminal.waitFor(/create 4711 --unit-system metric\n\? Run this command/)
  terminal.type('n\r')
  await terminal.waitFor(/canceled; nothing was changed/)
  expect(await terminal.ended).toBe(12)
})

test('users update without flags prompts for the fields', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users update 4711')
  for (const label of [
    /\? Date of birth/,
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
  ]) {
    await terminal.waitFor(label)
    terminal.type(label.source.includes('language') ? `${down}${down}\r` : '\r')
  }
  expect(terminal.screen().join('\n')).toMatch(
    /YYYY-MM-DD, Enter keeps the value\)\n✔ Sex at birth .* Keep\n/,
  )
  await terminal.waitFor(/equivalent command: facescan users update 4711 --language nl\n\? Run this command/)
  terminal.type('\r')
  await terminal.waitFor(/language +en → nl/)
  expect(await terminal.ended).toBe(0)
})

test('keys pressed before a prompt appears do not answer the prompt', async () => {
  const terminal = facescan('users create')
  terminal.type('4711\r\r\r')
  await terminal.waitFor(/External user ID/)
  terminal.type('4712\r')
  const screen = await terminal.waitFor(/\? Date of birth/)
  expect(screen).toMatch(/External user ID 4712$/m)
})

test('only missing arguments and flags are prompted for', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('answers save weight=80 --external-user-id 4711')
  await terminal.waitFor(/time zone of the answer/)
  terminal.type('Lisb')
  await terminal.waitFor(/Europe\/Lisbon/)
  terminal.type('\r')
  await terminal.waitFor(/weight +80/)
})

test('a read-only profile is refused before the first prompt', async () => {
  const env = { NO_COLOR: '1', FACESCAN_API_KEY: 'not-a-real-key-0123456789-0123456789-abcd' }
  const add = facescan('profiles add ACME-DEV --no-verify --base-url http://127.0.0.1:9', env)
  await add.waitFor(/API key for ACME-DEV/)
  add.type(`${env.FACESCAN_API_KEY}\r`)
  expect(await add.ended).toBe(0)
  add.close()
  const protect = facescan('profiles set ACME-DEV --protect read-only')
  expect(await protect.ended).toBe(0)
  protect.close()
  const terminal = facescan('users create --profile ACME-DEV')
  const screen = await terminal.waitFor(/read-only/)
  expect(await terminal.ended).toBe(12)
  expect(screen).not.toContain('External user ID')
})

test.each([
  ['profiles unlock NOPE', 'profile "NOPE" not found', 13],
  ['profiles unlock SANDBOX-DEV', 'SANDBOX-DEV is built in and cannot be changed', 2],
  ['profiles move-key NOPE', 'profile "NOPE" not found', 13],
  ['profiles remove SANDBOX-DEV', 'SANDBOX-DEV is built in and cannot be changed', 2],
])('"%s" prints its error before the first prompt', async (line, message, exitCode) => {
  const terminal = facescan(line)
  expect(await terminal.ended).toBe(exitCode)
  const screen = terminal.screen().join('\n')
  expect(screen).toContain(message)
  expect(screen).not.toContain('?')
})

test('a profile that does not exist is refused at its prompt', async () => {
  const terminal = facescan('profiles use')
  await terminal.waitFor(/Profile name/)
  terminal.type('SANDBX-DEV\r')
  await terminal.waitFor(/profile "SANDBX-DEV" not found; did you mean "SANDBOX-DEV"\?/)
  terminal.type('\x15SANDBOX-DEV\r')
  await terminal.waitFor(/Default profile is now SANDBOX-DEV/)
  expect(await terminal.ended).toBe(0)
})

test('the confirmation prompt of api shows the method of the request', async () => {
  const terminal = facescan('api DELETE /v2/users -f external_user_id=4711')
  await terminal.waitFor(/About to send a raw DELETE request for user 4711 in SANDBOX-DEV/)
})

test('with ACCESSIBLE=1, Ctrl-D at a yes-or-no prompt cancels, and another answer is explained', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users delete 4711', { ACCESSIBLE: '1' })
  await terminal.waitFor(/default no\): $/)
  terminal.type('maybe\r')
  await terminal.waitFor(/maybe\nenter yes or no\nAbout to delete .*default no\): $/s)
  terminal.type('\x04')
  expect(await terminal.ended).toBe(12)
  expect(terminal.screen().join('\n')).toMatch(/default no\): ?\nerror: canceled; the input ended/)
})

test('an invalid key is refused at its prompt', async () => {
  const terminal = facescan('profiles add ACME-DEV --no-verify --base-url http://127.0.0.1:9')
  await terminal.waitFor(/API key for ACME-DEV/)
  terminal.type('\r')
  await terminal.waitFor(/the API key is empty/)
  terminal.type('not a key\r')
  await terminal.waitFor(/contains a space/)
  terminal.type('\x15not-a-real-key-0123456789-0123456789-abcd\r')
  expect(await terminal.ended).toBe(0)
})

test('a deletion on a terminal prints one line', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users delete 4711 --yes')
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toEqual(['✓ Deleted user 4711 and all of their data in SANDBOX-DEV'])
})

test('Enter at a required choice without a selection shows the choice again in the same place', async () => {
  const terminal = facescan('completion')
  await terminal.waitFor(/\? Shell/)
  terminal.type('\r')
  await expect.poll(() => terminal.raw().split('❯')).toHaveLength(3)
  terminal.type(down)
  await terminal.waitFor(/❯ bash/)
  expect(terminal.screen()[0]).toBe('? Shell')
})

test('with ACCESSIBLE=1, choices are numbered, and "<" returns to the previous prompt', async () => {
  const terminal = facescan('users create', { ACCESSIBLE: '1' })
  await terminal.waitFor(/External user ID: $/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth .*: $/)
  terminal.type('1984-02-29\r')
  await terminal.waitFor(/1\. male\n +2\. female\nNumber \(1 to 2, or Enter to skip\): $/)
  terminal.type('<\r')
  await terminal.waitFor(/Date of birth .*, Enter keeps 1984-02-29: $/)
  terminal.type('1990-01-01\r')
  await terminal.waitFor(/1\. male[\s\S]*1\. male[\s\S]*skip\): $/)
  terminal.type('3\r')
  await terminal.waitFor(/"3" is not a number from 1 to 2/)
  terminal.type('2\r')
  await terminal.waitFor(/1\. English[\s\S]*skip\): $/)
  terminal.type('\r')
  await terminal.waitFor(/1\. metric[\s\S]*skip\): $/)
  terminal.type('\r')
  await terminal.waitFor(/Run this command\? .*: $/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/Date of birth +1990-01-01/)
  expect(screen).toContain('facescan users create 4711 --birth-date 1990-01-01 --sex F')
  // Only lines are written: no cursor movement that a screen reader would read again.
  expect(terminal.raw()).not.toMatch(/\x1b\[\d*[A-K]/)
})

test('Ctrl-C at a prompt exits with 130 and changes nothing', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

// Sequences that set a style, except the reset that can end a prompt.
const styled = /\x1b\[[1-9]\d*m/

test.each([
  ['never', false],
  ['always', true],
])('prompts with --color %s are colored: %s', async (mode, expected) => {
  const terminal = facescan(`users create --color ${mode}`, {})
  await terminal.waitFor(/External user ID/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  expect(styled.test(terminal.raw())).toBe(expected)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

test('SIGTERM at a prompt exits with 143', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.signal('SIGTERM')
  expect(await terminal.ended).toBe(143)
  expect(terminal.screen().join('\n')).toMatch(/✗ terminated$/)
})

test('typing searches a long list of choices', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('answers save')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/Answers/)
  terminal.type('average_sleep_hours=4\r')
  await terminal.waitFor(/time zone/)
  terminal.type('Lisb')
  await terminal.waitFor(/Europe\/Lisbon/)
  terminal.type('\r')
  await terminal.waitFor(/Run this command/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/average_sleep_hours +4/)
  expect(screen.replace(/\n\s*/g, ' ')).toContain(
    'facescan answers save average_sleep_hours=4 --external-user-id 4711 --timezone Europe/Lisbon',
  )
})

test('the equivalent command is printed before the first request', async () => {
  const server = await serve(hang)
  const terminal = facescan('users get', { FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: server.url })
  await terminal.waitFor(/ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/equivalent command: facescan users get 4711/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
  await server.close()
})

test('profiles add prompts for name, base URL, and key, returns to each at Esc, and does not show the key', async () => {
  const key = 'not-a-real-key-0123456789-0123456789-abcd'
  const terminal = facescan('profiles add --yes')
  expect(await terminal.ended).toBe(2)
  terminal.close()
  const asking = facescan('profiles add')
  await asking.waitFor(/Profile name/)
  asking.type('ACME DEV\r')
  await asking.waitFor(/letters, digits/)
  asking.type('\x7f\x7f\x7f\x7f-DEV\r')
  await asking.waitFor(/Base URL/)
  asking.type('http://api.example.com\r')
  await asking.waitFor(/plain HTTP/)
  asking.type('\x15http://127.0.0.1:9\r')
  await asking.waitFor(/API key for ACME-DEV/)
  asking.type('\x1b')
  await asking.waitFor(/\? Base URL .* http:\/\/127.0.0.1:9$/)
  asking.type('\x1b')
  await asking.waitFor(/\? Profile name .* ACME-DEV$/)
  asking.type('\x15BETA-DEV\r')
  await asking.waitFor(/\? Base URL .* http:\/\/127.0.0.1:9$/)
  asking.type('\x7f8\r')
  await asking.waitFor(/127.0.0.1:8\n\? API key for BETA-DEV/)
  asking.type(`${key}\r`)
  await asking.waitFor(
    /BETA-DEV \(development\) at http:\/\/127.0.0.1:8, key [0-9a-f]{12}\n\? Add this profile/,
  )
  asking.type('\x1b')
  await asking.waitFor(/127.0.0.1:8\n\? API key for BETA-DEV$/)
  asking.type(`${key}\r`)
  await asking.waitFor(/Add this profile/)
  asking.type('\r')
  // No server listens there, so the key cannot be verified and is not stored.
  await asking.waitFor(/the key was not stored/)
  expect(await asking.ended).toBe(9)
  expect(asking.raw()).not.toContain(key)
  expect(asking.raw()).not.toContain('equivalent command')
})

test('profiles add verifies a production key before it asks where to store it', async () => {
  const server = await serve(() => reply(401, { detail: 'invalid credentials' }))
  const terminal = facescan(`profiles add ACME --base-url ${server.url}`)
  await terminal.waitFor(/API key for ACME/)
  terminal.type('not-a-real-key-0123456789-0123456789-abcd\r')
  expect(await terminal.ended).toBe(3)
  expect(terminal.screen().join('\n')).not.toContain('Store the production key')
  await server.close()
})

test.each(['CI', 'FACESCAN_NO_INPUT'])('no prompt appears if %s is set', async (variable) => {
  pty = openPty(process.execPath, ['bin/facescan.js', 'users', 'create'], {
    env: { HOME: home, [variable]: '1' },
  })
  await pty.waitFor(/external user ID is missing/)
  expect(await pty.ended).toBe(2)
})

test('no prompt appears without a terminal', async () => {
  pty = openPty(
    'sh',
    ['-c', `"${process.execPath}" bin/facescan.js users create </dev/null; echo "exit $?"`],
    {
      env: { HOME: home, FACESCAN_CONFIG_DIR: join(home, 'config'), FACESCAN_STATE_DIR: join(home, 'state') },
    },
  )
  const screen = await pty.waitFor(/exit \d/)
  expect(screen).toContain('external user ID is missing')
  expect(screen).toContain('exit 2')
})

describe.each([
  ['1', 'error: interrupted'],
  ['0', '✗ interrupted'],
])('with ACCESSIBLE=%s', (ACCESSIBLE, message) => {
  test('the message after Ctrl-C at a prompt starts on a new line', async () => {
    const terminal = facescan('users create', { ACCESSIBLE, NO_COLOR: '1' })
    await terminal.waitFor(/External user ID/)
    terminal.type('\x03')
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen().at(-1)).toBe(message)
  })

  test('the message after Ctrl-C during a request starts on a new line', async () => {
    const server = await serve(hang)
    const env = { ACCESSIBLE, NO_COLOR: '1', FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: server.url }
    const terminal = facescan('users get 4711', env)
    await expect.poll(() => server.requests).toHaveLength(1)
    terminal.type('\x03')
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen().at(-1)).toBe(message)
    await server.close()
  })
})

test('the shell prompt starts on a new line after Ctrl-C stops sandbox serve', async () => {
  const terminal = facescan('sandbox serve --port 0')
  await terminal.waitFor(/press Ctrl-C to stop/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(0)
  expect(terminal.raw()).toMatch(/\^C\r\n$/)
})

test.each([
  ['ACME\r', /enter yes or no/],
  ['ye\r', /enter yes or no/],
])('a yes-or-no prompt asks again after the answer %j', async (answer, problem) => {
  facescan('users create 4711 --profile SANDBOX-DEV')
  await pty!.ended
  pty!.close()
  const asked = facescan('users delete 4711 --profile SANDBOX-DEV')
  await asked.waitFor(/y\/N/)
  asked.type(answer)
  await asked.waitFor(problem)
  asked.type('\x15n\r')
  expect(await asked.ended).toBe(12)
  expect(asked.screen().join('\n')).toContain('canceled; nothing was changed')
})
