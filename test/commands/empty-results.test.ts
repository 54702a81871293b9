import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { startService } from '../helpers/service.ts'

let machine: Machine

beforeEach(async () => {
  machine = createMachine({ NO_COLOR: '1' })
  await machine.facescan('users create 4711')
})

test('if a list is empty, "biomarkers list" suggests the next commands, and "answers list --quiet" prints nothing', async () => {
  const { stdout, stderr } = await machine.facescan('biomarkers list 4711 --profile SANDBOX-DEV')
  expect(stdout).toBe('')
  expect(stderr).toBe(
    'no face scans; create a scan link: facescan scan-url 4711 --profile SANDBOX-DEV\n' +
      '  or record scans in the sandbox: facescan sandbox scan 4711 --profile SANDBOX-DEV\n',
  )
  const suggested = stderr.trim().split(': facescan ').at(-1) ?? ''
  expect(await machine.facescan(suggested)).toMatchObject({ exitCode: 0 })
  const quiet = await machine.facescan('answers list 4711 --quiet')
  expect(quiet).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
})

test('if a user has no scans, "biomarkers list" suggests simulated scans only in the built-in sandbox', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const add = `profiles add ACME-DEV --key-stdin --base-url ${service.url}`
  await machine.facescan(add, { stdin: service.keys.development.key })
  await machine.facescan('users create 4712 --profile ACME-DEV')
  for (const command of ['biomarkers list', 'biomarkers latest', 'biomarkers list --chart']) {
    const { stderr } = await machine.facescan(`${command} 4712 --profile ACME-DEV`)
    expect(stderr).toBe('no face scans; create a scan link: facescan scan-url 4712 --profile ACME-DEV\n')
  }
})

test('if a user has no scans, "biomarkers list --json" prints an empty array and no note', async () => {
  expect(await machine.facescan('biomarkers list 4711 --json')).toMatchObject({ stdout: '[]\n', stderr: '' })
})

test('on a terminal, the note about an empty list wraps between words', async () => {
  const { stderr } = await machine.facescan('history list', { terminal: true, columns: 50 })
  expect(stderr.split('\n').filter((line) => line.length > 50)).toEqual([])
  expect(stderr).toMatch(/^· no matching changes/)
})

test('the output of a change omits a field that the response does not contain', async () => {
  const { stdout } = await machine.facescan('users update 4711 --language nl', { terminal: true })
  expect(stdout).toMatch(
    /^User ID +\S+\nCustomer .*\nDate of birth +–\nSex at birth +–\nLanguage +nl\nPreferred unit system +–\n$/,
  )
})

test('the error of "sandbox scan" for an unknown user suggests the command that creates the user', async () => {
  const { exitCode, stderr } = await machine.facescan('sandbox scan 4712')
  expect(exitCode).toBe(4)
  expect(stderr).toContain('user "4712" not found in the sandbox')
  expect(stderr).toContain('facescan users create 4712 --profile SANDBOX-DEV')
  const dash = await machine.facescan(['sandbox', 'scan', '--external-user-id=-x'])
  expect(dash.stderr).toContain('facescan users create --external-user-id=-x --profile SANDBOX-DEV')
})

test('if --db is set, the error of "sandbox scan" for an unknown user suggests no command that creates the user', async () => {
  const db = join(machine.home, 'state', 'sandbox.db')
  const { exitCode, stderr } = await machine.facescan(['sandbox', 'scan', '4712', '--db', db])
  expect(exitCode, stderr).toBe(4)
  expect(stderr).toContain('hint: Check the ID\n')
})

test.each(['--start 2031-01-01', '--end 2001-01-01 --chart'])(
  'the note of "biomarkers list %s" states that the period has no scans',
  async (period) => {
    await machine.facescan('sandbox scan 4711')
    const { stderr } = await machine.facescan(`biomarkers list 4711 ${period}`)
    expect(stderr).toBe(
      'no face scans in this period; show the newest scans: facescan biomarkers list 4711\n',
    )
  },
)
