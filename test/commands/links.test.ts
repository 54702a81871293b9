import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { needs } from '../helpers/needs.ts'

let machine: Machine

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan('users create --external-user-id 4711')
})

test.each(['scan-url', 'dashboard-url', 'token'])(
  '"%s --qr" prints the QR code but not the credential',
  async (name) => {
    const drawn = await machine.facescan(`${name} --external-user-id 4711 --qr --json`, { columns: 200 })
    expect(drawn.exitCode).toBe(0)
    expect(JSON.parse(drawn.stdout)).toEqual({
      delivered: ['QR code'],
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(drawn.stderr).toContain('▀')
    expect(drawn.stdout + drawn.stderr).not.toMatch(/eyJ|action_token/)
  },
)

test('--qr-file --yes replaces a file with an owner-only image, and does not print the link', async () => {
  const file = join(machine.home, 'qr.png')
  writeFileSync(file, 'old', { mode: 0o644 })
  const saved = await machine.facescan(`scan-url 4711 --qr-file ${file} --yes --json`)
  expect(saved.exitCode, saved.stderr).toBe(0)
  expect(JSON.parse(saved.stdout)).toMatchObject({ delivered: [`QR code in ${file}`] })
  expect(saved.stdout + saved.stderr).not.toMatch(/eyJ|action_token/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG')
})

const decoder = needs('zbarimg')

test.skipIf(decoder.missing)('--qr-file saves an image that contains the link', async () => {
  const file = join(machine.home, 'qr.png')
  await machine.facescan(`scan-url 4711 --qr-file ${file}`)
  const { stdout } = spawnSync(decoder.path.zbarimg, ['--quiet', '--raw', file], { encoding: 'utf8' })
  expect(stdout).toMatch(/^http:\/\/scan-\w+\.localhost\S+action_token=eyJ/)
})

test.each(['scan-url 4711 --qr-file x.txt', 'token 4711 --qr-file x.SVG', 'ce-label --out x.jpeg'])(
  '"%s" is refused, because the file is a PNG image',
  async (line) => {
    const refused = await machine.facescan(line)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(
      `so its name must not end with ${line.slice(line.lastIndexOf('.'))}; use .png`,
    )
    expect(existsSync(line.split(' ').at(-1) ?? '')).toBe(false)
  },
)

test('--qr-file accepts a name without an ending, such as a temporary file', async () => {
  const file = join(machine.home, 'tmp.Kx82hFqP1c')
  expect((await machine.facescan(`scan-url 4711 --qr-file ${file}`)).exitCode).toBe(0)
})

test('--qr-file reports why a file cannot be written', async () => {
  const failed = await machine.facescan('token 4711 --qr-file /nowhere/qr.png')
  expect(failed).toMatchObject({ exitCode: 13, stdout: '' })
  expect(failed.stderr).toBe('error: cannot write /nowhere/qr.png (no such file or directory)\n')
})

test.each([
  ['token 4711', 'token'],
  ['scan-url 4711', 'url'],
  ['sandbox key', 'alias'],
])('"%s --json=%s" prints only the selected field of the JSON object', async (line, field) => {
  const whole = JSON.parse((await machine.facescan(`${line} --json`)).stdout)
  const { stdout } = await machine.facescan(`${line} --json=${field}`)
  const selected = JSON.parse(stdout)
  expect(Object.keys(selected)).toEqual([field])
  expect(whole).toHaveProperty(field)
})

test('--qr-file and --users cannot be used together', async () => {
  const refused = await machine.facescan('token --users - --qr-file a.png', { stdin: '4711\n' })
  expect(refused.stderr).toContain('--qr-file and --users cannot be used together')
})

test.each([
  'opaque\x1b]0;mine\x07\u009b2J',
  'two\nlines',
  'ends\n',
  ' padded',
  't\u043eken',
  'nul\0',
  '\u202eneko',
])('an action token with a character that is not visible ASCII is refused: %j', async (token) => {
  const service = await serve(() => reply(201, { token }))
  const remote = createMachine({ FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: service.url })
  for (const line of [
    'token 4711',
    'token 4711 --json',
    'token 4711 --qr',
    'wellbeing --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  ]) {
    for (const terminal of [false, true]) {
      const refused = await remote.facescan(line, { terminal })
      expect(refused, line).toMatchObject({ exitCode: 8, stdout: '' })
      expect(refused.stderr).toContain('the service returned an action token with a space')
      expect(refused.stderr).not.toContain(token)
    }
  }
  const list = await remote.facescan('token --users - -o csv', { stdin: '4711\n' })
  expect(list.exitCode, list.stdout).toBe(10)
  expect(list.stdout).not.toContain(token.trim())
})

test('"scan-url" prints a note that states when the link expires', async () => {
  const link = await machine.facescan('scan-url --external-user-id 4711')
  expect(link.stdout).toMatch(/^https?:\/\/\S+\n$/)
  expect(link.stderr).toMatch(/expires at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.000Z\n/)
  const shown = await machine.facescan('scan-url --external-user-id 4711', { terminal: true })
  expect(shown.stderr).toMatch(/expires in \d+ h( \d+ min)? \(\d+ [A-Z][a-z]{2} \d\d:\d\d local time\)/)
})

test.each([
  ['scan-url', 'link'],
  ['dashboard-url', 'link'],
  ['token', 'token'],
])(
  '"%s" prints the flags --qr and --copy below the %s on a terminal, but not in a pipe',
  async (name, kind) => {
    const shown = await machine.facescan(`${name} 4711`, { terminal: true })
    expect(shown.stderr).toContain(`to show a QR code instead, add --qr; to copy the ${kind}, add --copy\n`)
    expect((await machine.facescan(`${name} 4711`)).stderr).not.toContain('--copy')
  },
)

test('if no clipboard is available, --copy prints nothing on stdout and suggests other flags', async () => {
  const failed = await machine.facescan('scan-url --external-user-id 4711 --copy')
  expect(failed).toMatchObject({ exitCode: 13, stdout: '' })
  expect(failed.stderr).toContain('--qr')
})

test('"scan-url" prints the note about "sandbox serve" only if the sandbox is not running', async () => {
  const line = 'scan-url --external-user-id 4711'
  expect((await machine.facescan(line)).stderr).toContain('facescan sandbox serve')
  const sandbox = await startSandbox({
    strict: true,
    database: join(machine.home, 'state/sandbox.db'),
    announce: true,
  })
  const served = await machine.facescan(line)
  expect(served.stderr).not.toContain('facescan sandbox serve')
  expect((await fetch(served.stdout.trim().replace(/[\w-]+\.localhost/, '127.0.0.1'))).status).toBe(200)
  await sandbox.close()
})

// spec 4.6:5
test('"dashboard-url --disable" sends an unknown section unchanged and prints a warning', async () => {
  const link = await machine.facescan('dashboard-url 4711 --disable todos,cellar')
  expect([link.exitCode, link.stderr]).toEqual([
    0,
    expect.stringContaining('"cellar" is sent unchanged, but is not a known dashboard section'),
  ])
  expect(link.stderr).not.toContain('"todos"')
  const token = new URL(link.stdout.trim()).searchParams.get('action_token') ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  expect(claims.disabled_sections).toEqual(['todos', 'cellar'])
})

// spec 4.2:6
test('"scan-url" prints the link from the service unchanged (spec 4.2)', async () => {
  const link = 'https://plugin-7.scan.test:8443/a/b;c?x=1&x=2&action_token=t#start'
  const service = await serve(() => reply(200, JSON.stringify(link)))
  const remote = createMachine({ FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: service.url })
  expect((await remote.facescan('scan-url 4711')).stdout).toBe(`${link}\n`)
})

// spec 4.2:7
test('the help of "scan-url" names the subdomains that a web page must allow (spec 4.2)', async () => {
  expect((await machine.facescan('scan-url --help')).stdout).toMatch(/allow the\s+subdomains/)
})

test.each([
  'javascript:alert(1)',
  'http://scan.example/?action_token=x',
  'not a link',
  'data:text/html,x',
  'https:scan.example',
  'https://scan.example@evil.example/',
  'https://scan.example\\@evil.example/',
  'https://sc\u0430n.example/',
  'https://scan.example/\u202egnp.exe',
  'https://scan.example/\n--flag',
  'https://scan.example/\x1b]0;mine\x07\u009b2J',
])('a link that is not a plain HTTPS URL is an error and is not printed: %j', async (link) => {
  const server = await serve(() => reply(200, JSON.stringify(link), { 'content-type': 'application/json' }))
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  for (const flags of ['', ' --json', ' --open']) {
    const refused = await machine.facescan(`scan-url 4711${flags}`, { env })
    expect(refused).toMatchObject({ exitCode: 8, stdout: '' })
    expect(refused.stderr).not.toContain(link)
  }
})

const token = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"exp":1800000000}').toString('base64url')}.c2lnbmF0dXJl`
const pasted = `https://scan-1a2b.example.com/scan?action_token=${token}`

test.each([
  '',
  'users ',
  'overview ',
  'scan-url ',
  'users create ',
  'users delete ',
  'overview --external-user-id ',
])('"facescan %sLINK" reports that a link is not a user ID, and does not print the link', async (words) => {
  const refused = await machine.facescan([...words.split(' ').filter(Boolean), pasted])
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toBe(
    'error: "https://…" is a link (valid until 2027-01-15T08:00:00.000Z), not a user ID\n' +
      'hint: New link: facescan scan-url ID (for a dashboard: facescan dashboard-url ID)\n',
  )
})
