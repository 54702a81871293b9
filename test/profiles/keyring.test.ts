import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findKeyringProblem, readKeyFromKeyring } from '../../src/profiles/keyring.ts'
import { bundleProgram } from '../helpers/bundle.ts'

const hasDaemon = ['gnome-keyring-daemon', 'dbus-run-session'].every(
  (program) => spawnSync('which', [program]).status === 0,
)
const message = hasDaemon ? '' : ' (skipped: Debian packages gnome-keyring and dbus are not installed)'

describe.skipIf(!hasDaemon)(`a real keyring in a private session bus${message}`, () => {
  let program: string

  beforeAll(async () => {
    program = await bundleProgram(`
      import { findKeyringProblem, readKeyFromKeyring, removeKeyFromKeyring, writeKeyToKeyring } from './src/profiles/keyring.ts'
      import { Secret } from './src/profiles/secret.ts'
      const env = process.env
      const problem = await findKeyringProblem(env)
      const before = await readKeyFromKeyring('ACME', env)
      await writeKeyToKeyring('ACME', new Secret(process.argv[2]), env)
      await writeKeyToKeyring('OTHER', new Secret('another'), env)
      const stored = (await readKeyFromKeyring('ACME', env))?.reveal()
      await removeKeyFromKeyring('ACME', env)
      await removeKeyFromKeyring('ACME', env)
      const after = await readKeyFromKeyring('ACME', env)
      console.log(JSON.stringify({ problem, before, stored, after }))
    `)
  })

  it('keeps a key exactly, gives it back and forgets it when told to', async () => {
    const home = await mkdtemp(join(tmpdir(), 'facescan-keyring-'))
    const key = `a!b-c.d_e@f%2F"'\\$`.padEnd(40, '1')
    const script = `echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null
      cd "$ROOT" && exec "$NODE" "$PROGRAM" "$KEY"`
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      ROOT: process.cwd(),
      NODE: process.execPath,
      NODE_PATH: join(process.cwd(), 'node_modules'),
      PROGRAM: program,
      KEY: key,
    }
    const child = spawn('dbus-run-session', ['--', 'bash', '-c', script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let problems = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text
    })
    await once(child, 'exit')
    expect(output, problems).not.toBe('')
    expect(JSON.parse(output)).toEqual({ stored: key })
  })
})

describe('without a keyring', () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
  }

  it('a key cannot be read, and the error names the other stores', async () => {
    const failing = readKeyFromKeyring('ACME', env)
    await expect(failing).rejects.toMatchObject({
      code: 'configuration',
      details: { hint: expect.stringContaining('--store file') },
    })
  })

  it('the problem is named', async () => {
    expect(await findKeyringProblem(env)).toContain('cannot be used')
  })
})

describe('a keyring that hangs', () => {
  it('is given up after three seconds', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'facescan-bus-')), 'bus')
    const silent = createServer(() => undefined).listen(path)
    await once(silent, 'listening')
    const env = { PATH: process.env['PATH'], DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }
    const failing = readKeyFromKeyring('ACME', env)
    await expect(failing).rejects.toThrow('The system keyring gave no answer within 3 seconds.')
    silent.close()
  })
})
