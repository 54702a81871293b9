import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { openStore } from '../../src/sandbox/index.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { createMachine } from '../helpers/facescan.ts'
import { asText } from '../helpers/messages.ts'

test.each([
  ['sandbox serve --host 0.0.0.0', 'add --expose-to-network'],
  ['sandbox serve --host localhost', 'add --expose-to-network'],
  ['sandbox serve --host 0.0.0.0 --expose-to-network --reset 0.1', 'cannot be used with simulated failures'],
  ['sandbox serve --port 70000', 'not a valid port'],
  ['sandbox serve --fail 503', 'not a valid failure rate; use STATUS:RATE'],
])('"%s" is refused before a port is opened', async (line, message) => {
  const result = await createMachine().facescan(line)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain(message)
})

test.each(['sandbox status', 'sandbox key', 'sandbox scan 4711'])(
  '"%s" with a database path that does not exist fails and does not create a database',
  async (line) => {
    const path = join(mkdtempSync(join(tmpdir(), 'facescan-db-')), 'typo/sandbox.db')
    const { exitCode, stderr } = await createMachine().facescan(`${line} --db ${path}`)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: ${path} does not exist\nhint: Check the path, or create the database: facescan sandbox serve --db ${path}\n`,
    })
    expect(existsSync(dirname(path))).toBe(false)
  },
)

test('"sandbox reset" succeeds without a database and does not create one', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'facescan-db-')), 'typo/sandbox.db')
  const { exitCode, stdout, stderr } = await createMachine().facescan(`sandbox reset --db ${path} --json`)
  expect({ exitCode, stderr: asText(stderr) }).toEqual({
    exitCode: 0,
    stderr: `Nothing to remove: ${path} does not exist\n`,
  })
  expect(JSON.parse(stdout)).toEqual({ database: path, reset: true })
  expect(existsSync(dirname(path))).toBe(false)
})

/** Replaces the process ID that `sandbox serve` stored. */
async function storeServer(path: string, url: string, processId: number): Promise<void> {
  const store = await openStore(path)
  store.run('insert or replace into setting (name, value) values (?, ?)', `serving ${url}`, String(processId))
  store.close()
}

test('"sandbox reset" succeeds if another program has the process ID of a killed "sandbox serve"', async () => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  await storeServer(`${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`, 'http://127.0.0.1:9', process.pid)
  expect(await machine.facescan('sandbox reset --yes')).toMatchObject({ exitCode: 0 })
  expect(JSON.parse((await machine.facescan('sandbox status --json')).stdout)).toMatchObject({ users: 0 })
})

test('if the process ID of a killed "sandbox serve" belongs to another program, "sandbox status" and links do not use the stored address', async () => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  await storeServer(`${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`, 'http://127.0.0.1:9', process.pid)
  expect(JSON.parse((await machine.facescan('sandbox status --json')).stdout)).toMatchObject({
    serving: null,
  })
  const link = await machine.facescan('scan-url 4711')
  expect(new URL(link.stdout).port).toBe('4010')
  expect(link.stderr).toContain('while the server of the sandbox runs: facescan sandbox serve')
})

test('"sandbox status" and links use the address of a running "sandbox serve", even if its process ID is unknown', async () => {
  const machine = createMachine()
  const database = `${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`
  await machine.facescan('users create 4711')
  const sandbox = await startSandbox({ database, isBuiltIn: true, announce: true })
  await storeServer(database, sandbox.url, 2 ** 30)
  const status = JSON.parse((await machine.facescan('sandbox status --json')).stdout)
  expect(status).toMatchObject({ serving: sandbox.url })
  const link = (await machine.facescan('scan-url 4711')).stdout
  expect(new URL(link).port).toBe(new URL(sandbox.url).port)
  await sandbox.close()
})

test('"sandbox reset" is refused while "sandbox serve" runs, even if its process ID is unknown, as in a container', async () => {
  const machine = createMachine()
  const database = `${machine.env['FACESCAN_STATE_DIR']}/sandbox.db`
  const sandbox = await startSandbox({ database, isBuiltIn: true, announce: true })
  await storeServer(database, sandbox.url, 2 ** 30)
  expect(await machine.facescan('sandbox reset --yes')).toMatchObject({
    exitCode: 12,
    stderr: expect.stringContaining('the sandbox is in use by "facescan sandbox serve"'),
  })
  expect((await fetch(`${sandbox.url}/v1/regulatory/ce-label`)).status).toBe(200)
  await sandbox.close()
  expect(await machine.facescan('sandbox reset --yes')).toMatchObject({ exitCode: 0 })
})

const checkFile = 'hint: Check the free disk space, and the permissions of the file and its directory.\n'

test('"sandbox status" reports why the system cannot open the database', async () => {
  const path = mkdtempSync(join(tmpdir(), 'facescan-db-'))
  const { exitCode, stderr } = await createMachine().facescan(`sandbox status --db ${path}`)
  expect({ exitCode, stderr }).toEqual({
    exitCode: 13,
    stderr: `error: the sandbox database ${path} cannot be used (illegal operation on a directory)\n${checkFile}`,
  })
})

test.each(['sandbox status', 'sandbox serve --port 0', 'sandbox reset --yes'])(
  'the hint of "%s" for a damaged file in --db does not suggest resetting the built-in sandbox',
  async (line) => {
    const path = join(mkdtempSync(join(tmpdir(), 'facescan-db-')), 'damaged.db')
    writeFileSync(path, 'this is no database')
    const { exitCode, stderr } = await createMachine().facescan(`${line} --db ${path}`)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 13,
      stderr: `error: the sandbox database ${path} cannot be used (file is not a database)\n${checkFile}`,
    })
  },
)

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const)(
  '"sandbox serve" warns that it simulates failures and stops on %s with exit code %i',
  async (name, exitCode) => {
    const interrupts = createInterrupts()
    const line = 'sandbox serve --port 0 --latency 50ms --fail 503:0.05 --rate-limit 100/s --seed 7 --json'
    const stopAtWarning: typeof main = (words, options) => {
      options.io.stderr.once('data', () => interrupts.receive(name))
      return main(words, options)
    }
    const result = await createMachine().facescan(line, { interrupts, main: stopAtWarning })
    expect(result.exitCode).toBe(exitCode)
    expect(JSON.parse(result.stdout).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(result.stderr).toContain('this sandbox simulates failures')
  },
)
