import { readFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { startService } from '../helpers/service.ts'

let service: Sandbox
let machine: Machine

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

beforeEach(() => {
  machine = createMachine()
})

/** Adds a development profile and a production profile. The production key is stored in a file, because this machine has no keyring. */
async function addProfiles(): Promise<void> {
  const { development, production } = service.keys
  const base = `--key-stdin --base-url ${service.url}`
  await machine.facescan(`profiles add ACME-DEV ${base}`, { stdin: development.key })
  await machine.facescan(`profiles add ACME ${base} --store file`, { stdin: production.key })
}

describe('profiles add', () => {
  test('"profiles add" verifies the key and prints its store and fingerprint, but not the key', async () => {
    const added = await machine.facescan(
      `profiles add ACME-DEV --key-stdin --base-url ${service.url} --json`,
      {
        stdin: `${service.keys.development.key}\n`,
      },
    )
    expect(added.exitCode).toBe(0)
    expect(JSON.parse(added.stdout)).toMatchObject({
      name: 'ACME-DEV',
      environment: 'development',
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      stored_in: join(machine.home, 'config', 'keys-development.json'),
    })
    expect(added.stdout + added.stderr).not.toContain(service.keys.development.key)
    const keys = await machine.facescan('answers keys --profile ACME-DEV --json')
    expect(JSON.parse(keys.stdout)).toContain('weight')
  })

  test('"profiles add" prints the location of the stored key once', async () => {
    const line = 'profiles add ACME-DEV --key-stdin --base-url https://api.example --no-verify'
    const { stdout, stderr } = await machine.facescan(line, { stdin: 'untried' })
    expect((stdout + stderr).match(/keys-development\.json/g)).toHaveLength(1)
  })

  test('"profiles add" stores nothing if the service rejects the key', async () => {
    const added = await machine.facescan(`profiles add ACME-DEV --key-stdin --base-url ${service.url}`, {
      stdin: 'not-the-key',
    })
    expect(added).toMatchObject({ exitCode: 3, stdout: '' })
    expect(added.stderr).toContain('the key was not stored')
    const list = await machine.facescan('profiles list --json=name')
    expect(JSON.parse(list.stdout)).toEqual([{ name: 'SANDBOX-DEV' }])
  })

  test('"profiles add --no-verify" stores a key without a request', async () => {
    const line = 'profiles add ACME-DEV --key-stdin --base-url https://api.example --no-verify'
    expect((await machine.facescan(line, { stdin: 'untried' })).exitCode).toBe(0)
  })

  test.each(['OTHER', 'OTHER-DEV'])(
    '"profiles add %s" refuses the API key of the production profile ACME',
    async (name) => {
      await addProfiles()
      const { production } = service.keys
      const line = `profiles add ${name} --key-stdin --store file --base-url ${service.url}`
      const added = await machine.facescan(line, { stdin: production.key })
      expect(added.exitCode).toBe(12)
      expect(added.stderr).toContain('stored in profile ACME (production)')
    },
  )

  test('"profiles add --replace" needs confirmation if it changes the base URL of a production profile', async () => {
    await addProfiles()
    const { production } = service.keys
    const line = 'profiles add ACME --replace --key-stdin --store file --no-verify'
    const env = { FACESCAN_BASE_URL: 'https://other.example' }
    const refused = await machine.facescan(line, { stdin: production.key, env })
    expect(refused.exitCode).toBe(12)
    expect(refused.stderr).toContain('changing the base URL for ACME from ')
    const kept = await machine.facescan(line, { stdin: production.key })
    expect(kept.stdout).toContain(service.url)
    const moved = await machine.facescan(`${line} --confirm=ACME`, { stdin: production.key, env })
    expect(moved.stdout).toContain('https://other.example')
  })

  test.each([['-p', ''], ['--profile='], ['--key-file', ''], ['--action-token=']])(
    '"users get" refuses an empty value of %s',
    async (...words) => {
      const refused = await machine.facescan(['users', 'get', '4711', ...words])
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain('is empty')
    },
  )

  test('"profiles add" stores a production key in a file only with --store file', async () => {
    const line = `profiles add ACME --key-stdin --base-url ${service.url}`
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
    const added = await machine.facescan(line, { stdin: service.keys.production.key, env })
    expect(added.exitCode).toBe(13)
    expect(added.stderr).toContain('--store file')
    const agreed = await machine.facescan(`${line} --store file`, { stdin: service.keys.production.key, env })
    expect(agreed.exitCode).toBe(0)
    expect(agreed.stdout).toContain('keys-production.json')
  })

  test('"profiles add" runs a key command and does not store the key that the command prints', async () => {
    const file = join(machine.home, 'key')
    await writeFile(file, service.keys.production.key)
    const words = ['profiles', 'add', 'ACME', '--base-url', service.url, '--key-command', `cat '${file}'`]
    expect((await machine.facescan(words, { env: { PATH: process.env['PATH']! } })).exitCode).toBe(0)
    const profiles = await readFile(join(machine.home, 'config', 'profiles.json'), 'utf8')
    expect(profiles).not.toContain(service.keys.production.key)
    const env = { PATH: process.env['PATH']! }
    expect((await machine.facescan('answers keys -p ACME --json', { env })).exitCode).toBe(0)
  })

  test('"profiles add" names the required flags if prompts are not possible', async () => {
    const line = 'profiles add ACME-DEV'
    const noUrl = await machine.facescan(line)
    expect(noUrl.stderr).toContain('Pass the value with --base-url or FACESCAN_BASE_URL.')
    const noKey = await machine.facescan(`${line} --base-url ${service.url}`)
    expect(noKey).toMatchObject({ exitCode: 2, stdout: '' })
    expect(noKey.stderr).toContain('Pass the value with --key-stdin, --key-file, or --key-command.')
  })

  test('if the key command fails, "profiles add" does not suggest "profiles set"', async () => {
    const words = ['profiles', 'add', 'ACME-DEV', '--key-command', 'exit 3', '--base-url', service.url]
    const { exitCode, stderr } = await machine.facescan(words)
    expect(exitCode).toBe(13)
    expect(stderr).toContain('Run the command yourself to check that it prints only the key.')
    expect(stderr).not.toContain('profiles set')
  })

  test('"profiles set" refuses an empty key command and changes nothing', async () => {
    const words = ['profiles', 'add', 'ACME-DEV', '--base-url', service.url, '--no-verify']
    await machine.facescan([...words, '--key-command', `echo ${service.keys.development.key}`])
    const before = await machine.facescan('profiles show ACME-DEV --json')
    expect((await machine.facescan(['profiles', 'set', 'ACME-DEV', '--key-command', ''])).exitCode).toBe(2)
    expect((await machine.facescan('profiles show ACME-DEV --json')).stdout).toBe(before.stdout)
  })

  test('"profiles add --replace" without --store keeps the key store of the profile', async () => {
    await addProfiles()
    const line = 'profiles add ACME --replace --key-stdin --no-verify --json'
    const { exitCode, stdout, stderr } = await machine.facescan(line, { stdin: 'k'.repeat(40) })
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ store: 'file' })
  })

  test('"profiles add" does not overwrite a profile without --replace', async () => {
    await addProfiles()
    const line = 'profiles add ACME-DEV --key-stdin --no-verify --base-url https://api.example'
    expect((await machine.facescan(line, { stdin: 'other' })).exitCode).toBe(13)
    const replaced = await machine.facescan(`${line} --replace`, { stdin: 'other' })
    expect(replaced.exitCode).toBe(0)
    expect(replaced.stderr).toMatch(/Replaced the key for profile \S+\n$/)
  })

  test.each(['SANDBOX-DEV', '../x', '', '-x', 'a b'])(
    '"profiles add" refuses the name "%s"',
    async (name) => {
      const words = ['profiles', 'add', '--key-stdin', '--base-url', service.url, '--', name]
      expect((await machine.facescan(words, { stdin: 'key' })).exitCode).toBe(2)
    },
  )
})

describe('other profile commands', () => {
  beforeEach(addProfiles)

  test('"profiles list" prints every profile and no key', async () => {
    const list = await machine.facescan('profiles list --json')
    expect(JSON.parse(list.stdout).map(({ name }: { name: string }) => name)).toEqual([
      'ACME',
      'ACME-DEV',
      'SANDBOX-DEV',
    ])
    expect(list.stdout).not.toContain(service.keys.production.key)
  })

  test('"profiles use" sets the default profile and warns about production', async () => {
    await machine.facescan('profiles use ACME-DEV')
    expect(JSON.parse((await machine.facescan('status --json=profile')).stdout)).toEqual({
      profile: 'ACME-DEV',
    })
    const used = await machine.facescan('profiles use ACME')
    expect(used.stderr).toContain('production')
  })

  test('"profiles set" reduces the protection of a production profile only with a confirmation', async () => {
    const refused = await machine.facescan('profiles set ACME --protect off --yes')
    expect(refused.exitCode).toBe(12)
    expect((await machine.facescan('profiles set ACME --protect off --confirm=ACME')).exitCode).toBe(0)
    expect((await machine.facescan('profiles set ACME --protect read-only')).exitCode).toBe(0)
  })

  test('if a value is invalid, "profiles set" reports only this error', async () => {
    const refused = await machine.facescan('profiles set ACME --protect none')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('"none" is not one of read-only, confirm, off')
    expect(refused.stderr).not.toContain('nothing to change')
    expect((await machine.facescan('profiles set ACME')).stderr).toContain('nothing to change')
  })

  test('"profiles unlock" allows changes in a read-only profile and logs the reason', async () => {
    await machine.facescan('profiles set ACME --protect read-only')
    const create = 'users create --external-user-id unlock-1 -p ACME --confirm=ACME'
    const refused = await machine.facescan(create)
    expect(refused).toMatchObject({ exitCode: 12 })
    expect(refused.stderr).toContain('profile ACME is read-only: cannot create user unlock-1')
    const unlock = ['profiles', 'unlock', 'ACME', '--for', '15m', '--reason', 'ticket 7']
    for (const flags of [[], ['--yes'], ['--confirm=ACM']]) {
      const unconfirmed = await machine.facescan([...unlock, ...flags])
      expect(unconfirmed).toMatchObject({ exitCode: 12 })
      expect(unconfirmed.stderr).toContain('Re-run with --confirm=ACME\n')
    }
    expect((await machine.facescan(create)).exitCode).toBe(12)
    expect((await machine.facescan([...unlock, '--confirm=ACME'])).exitCode).toBe(0)
    const list = await machine.facescan('profiles list', { terminal: true, env: { COLUMNS: '80' } })
    expect(list.stdout).toMatch(/^ACME .* unlocked$/m)
    expect((await machine.facescan(create)).exitCode).toBe(0)
    const [line] = JSON.parse((await machine.facescan('history list --json')).stdout)
    expect(line).toMatchObject({ profile: 'ACME', command: 'users create', status: 201, reason: 'ticket 7' })
    const now = () => Date.now() + 16 * 60_000
    const later = { now, monotonic: now, sleep: async () => undefined }
    expect((await machine.facescan(create, { clock: later })).exitCode).toBe(12)
  })

  test('"profiles set" reduces the protection of a development profile only after the profile name is entered', async () => {
    await machine.facescan('profiles set ACME-DEV --protect read-only')
    const lower = 'profiles set ACME-DEV --protect off'
    expect((await machine.facescan(`${lower} --yes`)).exitCode).toBe(12)
    expect((await machine.facescan(lower, { terminal: true, stdin: 'y\n' })).exitCode).toBe(12)
    expect((await machine.facescan(lower, { terminal: true, stdin: 'ACME-DEV\n' })).exitCode).toBe(0)
  })

  test('"profiles set" replaces or removes an audit command only after the name of the profile is entered', async () => {
    const received = join(machine.home, 'received.ndjson')
    const set = (command: string, ...flags: string[]) =>
      machine.facescan(['profiles', 'set', 'ACME-DEV', '--audit-command', command, ...flags])
    const first = `cat >> '${received}'`
    expect((await set(first)).exitCode).toBe(0)
    expect((await set(first)).exitCode).toBe(0)
    for (const [command, verb] of [
      ['cat > /dev/null', 'replacing'],
      ['', 'removing'],
    ] as const) {
      const refused = await set(command, '--yes')
      expect(refused.exitCode).toBe(12)
      expect(refused.stderr).toContain(`${verb} the audit command of ACME-DEV needs confirmation`)
      expect(refused.stderr).toContain('--confirm=ACME-DEV')
    }
    const shown = await machine.facescan('profiles show ACME-DEV --jq .audit_command')
    expect(shown.stdout).toBe(`${first}\n`)
    expect((await set('cat > /dev/null', '--confirm=ACME-DEV')).exitCode).toBe(0)
    // If an audit command is replaced, the old command receives the entry about the change.
    expect(readFileSync(received, 'utf8')).toMatch(/"detail":"audit command"[\s\S]*"outcome":"done"/)
  })

  test('"profiles unlock" refuses a reason that contains a key', async () => {
    const words = ['profiles', 'unlock', 'ACME', '--for', '5m', '--reason', `for ${'k3y!'.repeat(10)}`]
    const refused = await machine.facescan([...words, '--confirm=ACME'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must not contain a key') })
  })

  test('"profiles unlock" refuses a duration of more than a day, and a profile that is not read-only', async () => {
    const words = (time: string) => ['profiles', 'unlock', 'ACME', '--for', time, '--reason', 'x']
    expect((await machine.facescan(words('1h'))).exitCode).toBe(2)
    await machine.facescan('profiles set ACME --protect read-only')
    expect((await machine.facescan(words('25h'))).exitCode).toBe(2)
  })

  test('"profiles remove" does not claim to have removed a key if the profile uses a key command', async () => {
    const file = join(machine.home, 'key')
    await writeFile(file, service.keys.development.key)
    const words = ['profiles', 'add', 'ACME-DEV', '--replace', '--key-command', `cat '${file}'`]
    const changed = await machine.facescan(words, { env: { PATH: process.env['PATH']! } })
    expect(changed.exitCode, changed.stderr).toBe(0)
    const { stderr } = await machine.facescan('profiles remove ACME-DEV --yes')
    expect(stderr).toContain('Removed profile ACME-DEV\n')
  })

  test('"profiles remove" removes the profile and its key', async () => {
    expect((await machine.facescan('profiles remove ACME --yes')).exitCode).toBe(12)
    const removed = await machine.facescan('profiles remove ACME --confirm=ACME')
    expect(removed.exitCode).toBe(0)
    expect(removed.stderr).toContain('Removed profile ACME and its key')
    const keys = await readFile(join(machine.home, 'config', 'keys-production.json'), 'utf8')
    expect(keys).not.toContain(service.keys.production.key)
  })

  test('"profiles move-key" keeps the key in its store if the new store cannot be used', async () => {
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
    expect((await machine.facescan('profiles move-key ACME --store keyring', { env })).exitCode).toBe(13)
    expect((await machine.facescan('answers keys -p ACME')).exitCode).toBe(0)
    expect((await machine.facescan('profiles move-key ACME-DEV --store keyring', { env })).exitCode).toBe(2)
  })

  test('a key file that others can read is refused, and the error shows the command that fixes its mode', async () => {
    const path = join(machine.home, 'config', 'keys-production.json')
    await chmod(path, 0o640)
    const refused = await machine.facescan('answers keys -p ACME')
    expect(refused.exitCode).toBe(13)
    expect(refused.stderr).toContain(`chmod 600 '${path}'`)
  })
})

describe('status', () => {
  test('"status" prints the source of each setting', async () => {
    await addProfiles()
    const url = `${service.url}/v0`
    const env = { FACESCAN_PROFILE: 'ACME', FACESCAN_BASE_URL: url }
    const status = JSON.parse((await machine.facescan('status --json', { env })).stdout)
    expect(status).toMatchObject({
      profile: 'ACME',
      environment: 'production',
      base_url: url,
      protect: 'confirm',
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      problem: null,
    })
    expect(status.settings).toContainEqual({ name: 'profile', value: 'ACME', source: 'FACESCAN_PROFILE' })
    expect(status.settings).toContainEqual(
      expect.objectContaining({ name: 'base_url', source: 'FACESCAN_BASE_URL' }),
    )
  })

  test('"status" prints the name of the profile and the file of its key', async () => {
    await addProfiles()
    const { stdout } = await machine.facescan('status -p ACME-DEV')
    expect(stdout).toMatch(/[0-9a-f]{12} {2}\(profile ACME-DEV, keys-development\.json\)/)
    expect(stdout).toMatch(/config {2}\(FACESCAN_CONFIG_DIR\)/)
  })

  test('if there is no problem, "status" prints the row "Problem" in a pipe but not on a terminal', async () => {
    const line = 'status -p SANDBOX-DEV'
    expect((await machine.facescan(line)).stdout).toMatch(/^Profile\t.*\tProblem\n/)
    expect((await machine.facescan(line, { terminal: true })).stdout).not.toContain('Problem')
  })

  test('"status" and "profiles show" print the same text for an unlocked profile', async () => {
    await addProfiles()
    await machine.facescan('profiles set ACME --protect read-only')
    await machine.facescan([
      'profiles',
      'unlock',
      'ACME',
      '--for',
      '2h',
      '--reason',
      'ticket 7',
      '--confirm=ACME',
    ])
    const screen = { terminal: true, env: { NO_COLOR: '1' } }
    const [status, profile] = await Promise.all([
      machine.facescan('status -p ACME', screen),
      machine.facescan('profiles show ACME', screen),
    ])
    const text =
      /^Protection +(read-only, unlocked \(ends in \d h[^)]*\))$/m.exec(profile.stdout)?.[1] ?? 'none'
    expect(status.stdout).toContain(`${text}  (reason: ticket 7)\n`)
    const { protect, unlocked_until } = JSON.parse((await machine.facescan('status -p ACME --json')).stdout)
    expect([protect, Date.parse(unlocked_until) > Date.now()]).toEqual(['confirm', true])
  })

  test('if there is a problem, "status" reports the problem and its fix, and exits with 0', async () => {
    const env = { FACESCAN_API_KEY: 'sentinel-key', FACESCAN_PROFILE: '' }
    const status = await machine.facescan('status --json', { env })
    expect(status.exitCode).toBe(0)
    expect(JSON.parse(status.stdout).problem).toContain('base URL')
    expect(status.stderr).toContain('Set FACESCAN_BASE_URL')
    expect(status.stdout + status.stderr).not.toContain('sentinel-key')
  })

  test('the error for a rejected key names the source of the key', async () => {
    const env = { FACESCAN_API_KEY: 'wrong-key', FACESCAN_BASE_URL: service.url }
    const failed = await machine.facescan('answers keys', { env })
    expect(failed.exitCode).toBe(3)
    expect(failed.stderr).toContain('The API key came from FACESCAN_API_KEY.')
  })
})

test('the error for a missing required value names the flag if prompts are not possible', async () => {
  const { exitCode, stderr } = await machine.facescan(
    'profiles add ACME-DEV --base-url https://api.example.com',
  )
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error: API key for ACME-DEV is missing\n')])
  const noUrl = await machine.facescan('profiles add ACME-DEV')
  expect(noUrl.stderr).toContain('error: base URL of the service is missing\n')
})
