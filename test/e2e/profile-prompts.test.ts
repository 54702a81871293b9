import { expect, test } from 'vitest'
import { reply, serve } from '../helpers/hostile-server.ts'
import { down, useTerminal } from './use-terminal.ts'

const { facescan } = useTerminal()

const wrongKey = { FACESCAN_API_KEY: 'not-a-real-key-0123456789-0123456789-abcd' }

test.each(['0', '1'])(
  'with ACCESSIBLE=%s, "users create" exits with 9 after its first prompt if the service is unreachable',
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

test('"users create" reports a rejected API key before its second prompt', async () => {
  const server = await serve(() => reply(401, { detail: 'invalid credentials' }))
  const terminal = facescan('users create', { ...wrongKey, NO_COLOR: '1', FACESCAN_BASE_URL: server.url })
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  expect(await terminal.ended).toBe(3)
  expect(terminal.screen().join('\n')).not.toContain('Date of birth')
  await server.close()
})

test('"profiles add" refuses a key of another profile before it prompts for confirmation', async () => {
  // Each character of the key is printed, so a short key keeps the output below 4,096 bytes. When a program ends, libuv can drop unread
  // output after these bytes.
  const key = 'short-key'
  const first = facescan('profiles add ACME-DEV --no-verify --base-url http://127.0.0.1:9')
  await first.waitFor(/API key for ACME-DEV/)
  first.type(`${key}\r`)
  expect(await first.ended).toBe(0)
  first.close()
  const second = facescan('profiles add --no-verify --base-url http://127.0.0.1:9')
  await second.waitFor(/Profile name/)
  second.type('BETA-DEV\r')
  await second.waitFor(/API key for BETA-DEV/)
  second.type(`${key}\r`)
  expect(await second.ended).toBe(12)
  const screen = second.screen().join('\n')
  expect(screen).toContain('this key is already stored in profile ACME-DEV')
  expect(screen).not.toContain('Add this profile?')
})

test('"users create" refuses a read-only profile before its first prompt', async () => {
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

test('the prompt for a profile name refuses an unknown name', async () => {
  const terminal = facescan('profiles move-key --store file')
  await terminal.waitFor(/Profile name/)
  terminal.type('SANDBX-DEV\r')
  await terminal.waitFor(/profile "SANDBX-DEV" not found; did you mean "SANDBOX-DEV"\?/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

test('"profiles use" shows the profiles at its prompt', async () => {
  const terminal = facescan('profiles use')
  await terminal.waitFor(/Profile name\n.*\n. SANDBOX-DEV/)
  terminal.type(`${down}\r`)
  await terminal.waitFor(/Default profile is now SANDBOX-DEV/)
  expect(await terminal.ended).toBe(0)
})

test('the prompt for an API key refuses an invalid key and then accepts a valid key', async () => {
  const terminal = facescan('profiles add ACME-DEV --no-verify --base-url http://127.0.0.1:9')
  await terminal.waitFor(/API key for ACME-DEV/)
  terminal.type('\r')
  await terminal.waitFor(/the API key is empty/)
  terminal.type('not a key\r')
  await terminal.waitFor(/contains a space/)
  terminal.type('\x15not-a-real-key-0123456789-0123456789-abcd\r')
  expect(await terminal.ended).toBe(0)
})

test('"profiles add" prompts for name, base URL, and key, and returns to the previous prompt at Esc', async () => {
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
  // No server listens on the port of this profile, so the key is neither verified nor stored.
  await asking.waitFor(/the key was not stored/)
  expect(await asking.ended).toBe(9)
  expect(asking.raw()).not.toContain(key)
  expect(asking.raw()).not.toContain('equivalent command')
})

test('"profiles add" verifies a production key before it prompts for the key store', async () => {
  const server = await serve(() => reply(401, { detail: 'invalid credentials' }))
  const terminal = facescan(`profiles add ACME --base-url ${server.url}`)
  await terminal.waitFor(/API key for ACME/)
  terminal.type('not-a-real-key-0123456789-0123456789-abcd\r')
  expect(await terminal.ended).toBe(3)
  expect(terminal.screen().join('\n')).not.toContain('Store the production key')
  await server.close()
})
