import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toBundleText } from '../../src/commands/doctor/bundle.ts'
import type { Finding } from '../../src/commands/doctor/finding.ts'
import { checkNode } from '../../src/commands/doctor/local-checks.ts'
import { checkClock } from '../../src/commands/doctor/network-checks.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine, type RunOptions } from '../helpers/facescan.ts'
import { logName } from '../helpers/history.ts'
import { hang, reply, serve } from '../helpers/hostile-server.ts'
import { startService } from '../helpers/service.ts'

let service: Sandbox
let machine: Machine
let config: string

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

beforeEach(async () => {
  machine = createMachine()
  config = join(machine.home, 'config')
  await machine.facescan(`profiles add ACME-DEV --key-stdin --base-url ${service.url}`, {
    stdin: service.keys.development.key,
  })
  await machine.facescan('profiles use ACME-DEV')
})

async function examine(line = 'doctor', options: RunOptions = {}) {
  const ran = await machine.facescan(`${line} --json`, options)
  const findings: Finding[] = JSON.parse(ran.stdout)
  const find = (check: string) => findings.find((finding) => finding.check === check)
  return { exitCode: ran.exitCode, find, findings }
}

describe('doctor', () => {
  test('"doctor" reports no problem on a configured machine and sends nothing', async () => {
    const server = await serve(() => hang())
    await machine.facescan(`profiles set ACME-DEV --base-url ${server.url} --yes`)
    const { exitCode, findings } = await examine('doctor')
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([])
    expect(exitCode).toBe(0)
    expect(server.requests).toEqual([])
  })

  test('"doctor --network" checks the connection, the clock, and the key', async () => {
    const { exitCode, find } = await examine('doctor --network')
    expect(find('connection')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('responded with 200'),
    })
    expect(find('clock')).toMatchObject({ status: 'ok' })
    expect(find('key')).toMatchObject({ status: 'ok' })
    expect(exitCode).toBe(0)
  })

  test('"doctor" states that the key was rejected only if the service rejected it', async () => {
    for (const [status, detail, fix] of [
      [401, 'the service returned 401 for the key from FACESCAN_API_KEY', 'Check: facescan status'],
      [503, 'not verified: the service returned 503', 'Check the base URL, or try again later.'],
    ] as const) {
      const server = await serve(() => reply(status))
      const env = { FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: server.url }
      const { exitCode, find } = await examine('doctor --network', { env })
      await server.close()
      expect([exitCode, find('key')]).toMatchObject([13, { status: 'problem', detail, fix }])
    }
  })

  test('"doctor" reads a key from standard input once and uses it for all checks', async () => {
    const { find } = await examine('doctor --network --key-stdin', {
      stdin: service.keys.development.key,
      env: { FACESCAN_BASE_URL: service.url },
    })
    expect([find('session'), find('connection'), find('key')]).toEqual(
      Array(3).fill(expect.objectContaining({ status: 'ok' })),
    )
  })

  test('"doctor" reports a missing base URL as one problem, and shows how to fix it', async () => {
    const { findings } = await examine('doctor --network', { env: { FACESCAN_API_KEY: 'key' } })
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([
      expect.objectContaining({ check: 'session', fix: expect.stringContaining('Set FACESCAN_BASE_URL') }),
    ])
  })

  test('"doctor" prints nothing if it is interrupted', async () => {
    const interrupts = createInterrupts()
    const server = await serve(() => {
      interrupts.receive('SIGINT')
      return hang()
    })
    const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
    const stopped = await machine.facescan('doctor --network', { env, interrupts })
    expect(stopped).toMatchObject({ exitCode: 130, stdout: '' })
  })

  test('"doctor" reports an unreachable service and a rejected key as different problems', async () => {
    const gone = await examine('doctor --network --retries 0', {
      env: { FACESCAN_API_KEY: 'sentinel-key', FACESCAN_BASE_URL: 'http://127.0.0.1:9' },
    })
    expect(gone.find('connection')).toMatchObject({ status: 'problem' })
    expect(gone.find('key')).toMatchObject({ status: 'skipped' })
    const env = { FACESCAN_API_KEY: 'sentinel-wrong', FACESCAN_BASE_URL: service.url }
    const refused = await examine('doctor --network', { env })
    expect(refused.find('key')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('FACESCAN_API_KEY'),
    })
    expect(refused.exitCode).toBe(13)
  })

  test.each([
    ['damaged', '{"version":1,', 'is damaged'],
    ['from a newer version', '{"version":9}', 'newer version'],
  ])('"doctor" still runs its other checks if the profile file is %s', async (_, text, detail) => {
    await writeFile(join(config, 'profiles.json'), text)
    const { exitCode, find, findings } = await examine()
    expect(find('profiles')).toMatchObject({ status: 'problem', detail: expect.stringContaining(detail) })
    expect(findings.filter(({ status }) => status === 'problem')).toHaveLength(1)
    expect(find('history')).toMatchObject({ status: 'ok' })
    expect(exitCode).toBe(13)
  })

  test('"doctor" shows the command that fixes the mode of a file', async () => {
    await chmod(join(config, 'keys-development.json'), 0o644)
    const { find } = await examine()
    expect(find('development keys')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('chmod 600'),
    })
  })

  test('"doctor" reports a key without a profile, a missing default profile, and a misspelled variable', async () => {
    const path = join(config, 'profiles.json')
    await writeFile(path, '{"version":1,"default":"GONE","profiles":{}}')
    const { find } = await examine('doctor', { env: { FACESCAN_PROFILES: 'x' } })
    expect(find('development keys')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('ACME-DEV'),
    })
    expect(find('profiles')).toMatchObject({ status: 'problem', detail: expect.stringContaining('GONE') })
    expect(find('environment')).toMatchObject({ status: 'warning', fix: 'Did you mean FACESCAN_PROFILE?' })
  })

  test('"doctor" reports a certificate file that it cannot read, and prints the proxy without its password', async () => {
    const env = { SSL_CERT_FILE: '/nonexistent.pem', HTTPS_PROXY: 'http://me:sentinel@proxy.example:3128' }
    const { find, findings } = await examine('doctor', { env })
    expect(find('certificates')).toMatchObject({ status: 'problem' })
    expect(find('proxy')).toMatchObject({ detail: 'HTTPS_PROXY=proxy.example:3128' })
    expect(JSON.stringify(findings)).not.toContain('sentinel')
  })

  test.each([
    ['k'.repeat(41), '(hidden: possible key or password)'],
    [`http://${'k9'.repeat(20)}x:3128`, '(hidden: possible key or password)'],
    ['http://proxy.eu-west.acme-corporation.internal:3128', 'proxy.eu-west.acme-corporation.internal:3128'],
    ['http://[fd00:1234:5678:9abc:def0::9abc]:3128', '[fd00:1234:5678:9abc:def0::9abc]:3128'],
    ['http://name:word@[::1]:3128', '[::1]:3128'],
    ['10.0.0.1:3128', '10.0.0.1:3128'],
    ['http://', '(not a URL)'],
  ])('"doctor" shows the proxy %s as %s', async (proxy, shown) => {
    const { find } = await examine('doctor', { env: { HTTPS_PROXY: proxy } })
    expect(find('proxy')?.detail).toBe(`HTTPS_PROXY=${shown}`)
  })

  test('"doctor" hides the entries of NO_PROXY that may be a key or contain a password', async () => {
    const NO_PROXY = `*.corp.example, 10.0.0.0/8 ${'K'.repeat(41)},*,me:sentinel@host`
    const { find } = await examine('doctor', { env: { HTTPS_PROXY: 'proxy.example:3128', NO_PROXY } })
    const hidden = '(hidden: possible key or password)'
    expect(find('proxy')?.detail).toBe(
      `HTTPS_PROXY=proxy.example:3128, except for *.corp.example, 10.0.0.0/8, ${hidden}, *, ${hidden}`,
    )
  })

  test('"doctor" works with directories and files that it cannot read', async () => {
    await rm(join(machine.home, 'state'), { recursive: true })
    await mkdir(join(machine.home, 'state', logName()), { recursive: true })
    const { findings } = await examine('doctor', { env: { FACESCAN_CONFIG_DIR: '/dev/null/x' } })
    expect(findings.length).toBeGreaterThan(8)
  })
})

describe('doctor --bundle', () => {
  test('"doctor --bundle" lists what it writes, and writes a private file that contains no keys and no values of variables', async () => {
    const file = join(machine.home, 'support.json')
    const env = {
      FACESCAN_ACTION_TOKEN: 'sentinel-token',
      FACESCAN_sentinel: '1',
      NODE_OPTIONS: '',
      HTTPS_PROXY: 'http://sentinel.example:1',
      NODE_EXTRA_CA_CERTS: '/sentinel.pem',
    }
    const ran = await machine.facescan(`doctor --bundle ${file}`, { env })
    expect(ran.stderr).toContain('names (not values)')
    const text = await readFile(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ variables: expect.arrayContaining(['FACESCAN_ACTION_TOKEN']) })
    expect(text).not.toContain('sentinel')
    expect(text).not.toContain(service.keys.development.key)
    expect(text).not.toContain(machine.home)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['/home/ada', '/home/ada/.config/facescan', '~/.config/facescan'],
    ['C:\\Users\\ada', 'C:\\Users\\ada\\AppData', '~\\AppData'],
    ['/', '/etc/facescan', '/etc/facescan'],
  ])('"doctor --bundle" writes the home directory %s as a tilde', async (home, path, shown) => {
    expect(JSON.parse(toBundleText({ paths: [path] }, home))).toEqual({ paths: [shown] })
  })

  test.skipIf(process.platform === 'win32')(
    '"doctor --bundle" does not read links or named pipes in the directory of the crash reports',
    async () => {
      const crashes = join(machine.home, 'state', 'crashes')
      mkdirSync(crashes, { recursive: true, mode: 0o700 })
      writeFileSync(join(machine.home, 'secret'), 'sentinel')
      symlinkSync(join(machine.home, 'secret'), join(crashes, 'link.txt'))
      spawnSync('mkfifo', [join(crashes, 'pipe.txt')])
      const file = join(machine.home, 'report.json')
      const ran = await machine.facescan(`doctor --bundle ${file}`)
      expect(ran.exitCode, ran.stderr).toBe(0)
      expect(JSON.parse(readFileSync(file, 'utf8')).crashes).toEqual([])
    },
  )

  test('"doctor --bundle" does not overwrite a file', async () => {
    const file = join(machine.home, 'support.json')
    await writeFile(file, 'mine')
    expect((await machine.facescan(`doctor --bundle ${file}`)).exitCode).toBe(2)
    expect(await readFile(file, 'utf8')).toBe('mine')
  })
})

test.each([
  ['20.19.0', 'ok'],
  ['26.1.0', 'ok'],
  ['20.18.3', 'problem'],
  ['18.20.0', 'problem'],
])('if the version of Node is %s, "doctor" reports the status "%s"', (running, status) => {
  expect(checkNode(running).status).toBe(status)
})

test.each([
  [0, 'ok', 'within'],
  [90_000, 'warning', '90 s ahead of'],
  [-3_600_000, 'warning', '3600 s behind'],
])(
  'if the clock differs by %i ms from the service, "doctor" reports the status "%s"',
  (skewMs, status, detail) => {
    const now = Date.UTC(2026, 0, 1)
    const outcome = checkClock({ headers: { date: new Date(now).toUTCString() } }, now + skewMs)
    expect(outcome).toMatchObject({ status, detail: expect.stringContaining(detail) })
  },
)
