import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKeyringProblem, readKeyFromKeyring, writeKeyToKeyring } from '../../src/profiles/keyring.ts'
import { Secret } from '../../src/profiles/secret.ts'
import { createMachine } from '../helpers/facescan.ts'
import { type Keyring, missingKeyring, startKeyring } from '../helpers/keyring.ts'
import { startService } from '../helpers/service.ts'

/** The command line and the environment of every process that this process can read. */
function processList(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) =>
    ['cmdline', 'environ'].map((file) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8')
      } catch {
        return ''
      }
    }),
  )
}

describe.skipIf(missingKeyring)('a real keyring on a private session bus', () => {
  let keyring: Keyring

  beforeAll(async () => {
    keyring = await startKeyring()
  })

  afterAll(() => keyring.stop())

  test('a keyring stores a key, returns the key unchanged, and removes it', async () => {
    const { env } = keyring
    const key = `a!b-c.d_e@f%2F"'\\$`.padEnd(40, '1')
    expect(await findKeyringProblem(env)).toBeUndefined()
    expect(await readKeyFromKeyring('ACME', env)).toBeUndefined()
    await writeKeyToKeyring('ACME', new Secret(key), env)
    await writeKeyToKeyring('OTHER', new Secret('another'), env)
    expect((await readKeyFromKeyring('ACME', env))?.reveal()).toBe(key)
    await writeKeyToKeyring('ACME', undefined, env)
    await writeKeyToKeyring('ACME', undefined, env)
    expect(await readKeyFromKeyring('ACME', env)).toBeUndefined()
    expect((await readKeyFromKeyring('OTHER', env))?.reveal()).toBe('another')
  })

  test.skipIf(process.platform !== 'linux')(
    'a key that is written to the keyring does not appear in the list of processes',
    async () => {
      const key = 'sentinel-on-the-process-list'.padEnd(40, '!')
      const seen = new Set<string>()
      const writeAndList = async () => {
        let isDone = false
        const written = writeKeyToKeyring('LISTED', new Secret(key), keyring.env).finally(() => {
          isDone = true
        })
        while (!isDone) {
          for (const line of processList()) seen.add(line)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await written
      }
      // On a busy machine, the process that writes the key can end before the list of processes is read. The key is then written again.
      while (![...seen].some((line) => line.includes('@napi-rs/keyring'))) await writeAndList()
      expect([...seen].filter((line) => line.includes('sentinel-on-the'))).toEqual([])
    },
  )

  test('a production key is stored in the keyring by default, and can be moved and removed', async () => {
    const service = await startService()
    const { env } = keyring
    const machine = createMachine()
    const { key } = service.keys.production
    const add = `profiles add ACME --key-stdin --base-url ${service.url} --json=store`
    expect(JSON.parse((await machine.facescan(add, { stdin: key, env })).stdout)).toEqual({
      store: 'keyring',
    })
    expect((await machine.facescan('answers keys -p ACME', { env })).exitCode).toBe(0)
    expect((await readKeyFromKeyring('ACME', env))?.reveal()).toBe(key)

    expect((await machine.facescan('profiles move-key ACME --store file', { env })).exitCode).toBe(0)
    expect(await readKeyFromKeyring('ACME', env)).toBeUndefined()
    expect((await machine.facescan('answers keys -p ACME')).exitCode).toBe(0)

    expect((await machine.facescan('profiles move-key ACME --store keyring', { env })).exitCode).toBe(0)
    expect(readFileSync(join(machine.home, 'config', 'keys-production.json'), 'utf8')).not.toContain(key)
    expect((await machine.facescan('profiles remove ACME --confirm=ACME', { env })).exitCode).toBe(0)
    expect(await readKeyFromKeyring('ACME', env)).toBeUndefined()
    await service.close()
  })
})

describe('a machine without a keyring', () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
  }

  test('reading a key from a missing keyring fails with a hint that contains --store file', async () => {
    const failing = readKeyFromKeyring('ACME', env)
    await expect(failing).rejects.toMatchObject({
      code: 'configuration',
      details: { hint: expect.stringContaining('--store file') },
    })
  })

  test('the keyring is reported as unusable if the D-Bus session cannot be reached', async () => {
    expect(await findKeyringProblem(env)).toContain('cannot be used')
  })

  test.runIf(process.platform === 'linux')(
    'the keyring is reported as unusable if there is no D-Bus session',
    async () => {
      const bare = { PATH: process.env['PATH'], HOME: '/nonexistent' }
      expect(await findKeyringProblem(bare)).toBe('the system keyring cannot be used (no D-Bus session)')
    },
  )
})

describe('a keyring that hangs', () => {
  test('reading a key from a keyring that does not respond fails after ten seconds', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'facescan-bus-')), 'bus')
    const silent = createServer(() => undefined).listen(path)
    await once(silent, 'listening')
    const env = { PATH: process.env['PATH'], DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }
    const failing = readKeyFromKeyring('ACME', env)
    await expect(failing).rejects.toThrow('the system keyring did not respond within 10 seconds')
    silent.close()
  })
})
