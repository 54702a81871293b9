import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { hang, serve } from '../helpers/hostile-server.ts'
import { useTerminal } from './use-terminal.ts'

const { facescan, open } = useTerminal()

test('Ctrl-C at a prompt exits with 130', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
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

test.each(['0', '1'])(
  'SIGTERM at the confirmation prompt of "users delete --users" exits with 143 (ACCESSIBLE=%s)',
  async (ACCESSIBLE) => {
    const list = join(temporaryFolder(), 'users.csv')
    writeFileSync(list, 'external_user_id\n4711\n4712\n')
    const terminal = facescan(`users delete --users ${list}`, { ACCESSIBLE })
    await terminal.waitFor(/to\s+confirm/)
    terminal.signal('SIGTERM')
    expect(await terminal.ended).toBe(143)
    expect(terminal.screen().join('\n')).toMatch(/(✗|error:) terminated$/)
  },
)

test.each(['CI', 'FACESCAN_NO_INPUT'])(
  '"users create" shows an error instead of a prompt if %s is set',
  async (variable) => {
    const pty = open(process.execPath, ['bin/facescan.js', 'users', 'create'], { [variable]: '1' })
    await pty.waitFor(/external user ID is missing/)
    expect(await pty.ended).toBe(2)
  },
)

test('without a terminal, "users create" shows an error instead of a prompt', async () => {
  const script = `"${process.execPath}" bin/facescan.js users create </dev/null; echo "exit $?"`
  const pty = open('sh', ['-c', script], {})
  const screen = await pty.waitFor(/exit \d/)
  expect(screen).toContain('external user ID is missing')
  expect(screen).toContain('exit 2')
})

describe.each([
  ['1', 'error: interrupted'],
  ['0', '✗ interrupted'],
])('if ACCESSIBLE is %s, the message after Ctrl-C starts on a new line', (ACCESSIBLE, message) => {
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

test('the shell prompt starts on a new line after Ctrl-C stops "sandbox serve"', async () => {
  const terminal = facescan('sandbox serve --port 0')
  await terminal.waitFor(/press Ctrl-C to stop/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
  expect(terminal.raw()).toMatch(/interrupted.*\r\n$/)
})

test('the confirmation prompt of "api" shows the method of the request', async () => {
  const terminal = facescan('api DELETE /v2/users -f external_user_id=4711')
  await terminal.waitFor(/About to send a raw DELETE request for user 4711 in SANDBOX-DEV/)
})

test('with ACCESSIBLE=1, Ctrl-D cancels a yes-or-no prompt, and an invalid answer shows the valid answers', async () => {
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

test('"users delete --yes" on a terminal prints only the success line', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users delete 4711 --yes')
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toEqual(['✓ Deleted user 4711 and all of their data in SANDBOX-DEV'])
})

test.each([
  ['ACME\r', /enter yes or no/],
  ['ye\r', /enter yes or no/],
])('a yes-or-no prompt is shown again after the invalid answer %j', async (answer, problem) => {
  const create = facescan('users create 4711 --profile SANDBOX-DEV')
  await create.ended
  create.close()
  const asked = facescan('users delete 4711 --profile SANDBOX-DEV')
  await asked.waitFor(/y\/N/)
  asked.type(answer)
  await asked.waitFor(problem)
  asked.type('\x15n\r')
  expect(await asked.ended).toBe(12)
  expect(asked.screen().join('\n')).toContain('canceled; nothing was changed')
})
