import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'

const warning = 'warning: no profile is selected; using the built-in sandbox (SANDBOX-DEV)\n'
const changes = [
  'users create 4712',
  'users delete 4711 --yes',
  'api POST /v2/users -f external_user_id=4712',
]

let machine: Machine

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan('users create 4711')
  // This directory selects the sandbox as the default profile. After its removal, no profile is selected.
  rmSync(join(machine.home, 'config'), { recursive: true })
})

const addProfile = (name: string) =>
  machine.facescan(
    `profiles add ${name} --key-stdin --store file --no-verify --base-url https://api.example`,
    {
      stdin: 'k'.repeat(40),
    },
  )

async function createdUsers(): Promise<number> {
  const read = await machine.facescan('sandbox status --json=users')
  return JSON.parse(read.stdout).users
}

describe('without a terminal and without a selected profile', () => {
  test.each(changes)(
    'if no profile is selected, a change without a terminal exits with 13 and sends nothing: %s',
    async (line) => {
      const refused = await machine.facescan(`${line} --quiet`)
      expect(refused).toMatchObject({ exitCode: 13, stdout: '' })
      expect(refused.stderr).toMatch(/Re-run with --profile SANDBOX-DEV for the built-in sandbox$/m)
      expect(await createdUsers()).toBe(1)
    },
  )

  test.each(changes)('if no profile is selected, a refused change creates no sandbox: %s', async (line) => {
    const empty = createMachine()
    rmSync(join(empty.home, 'config'), { recursive: true })
    expect((await empty.facescan(line)).exitCode).toBe(13)
    expect(existsSync(join(empty.home, 'state', 'sandbox.db'))).toBe(false)
  })

  test.each(['users get 4711', 'users create 4712 --dry-run', 'api GET /v2/users?external_user_id=4711'])(
    'if no profile is selected, a read without a terminal warns once that it used the sandbox: %s --quiet',
    async (line) => {
      const read = await machine.facescan(`${line} --quiet`)
      expect(read).toMatchObject({ exitCode: 0, stderr: warning })
      expect(await createdUsers()).toBe(1)
    },
  )

  test.each([
    ['--profile', 'users create 4712 -p SANDBOX-DEV', {}],
    ['FACESCAN_PROFILE', 'users create 4712', { FACESCAN_PROFILE: 'SANDBOX-DEV' }],
  ])(
    'without a terminal, a change is made in the sandbox if %s selects the sandbox',
    async (_, line, env) => {
      expect(await machine.facescan(line, { env })).toMatchObject({
        exitCode: 0,
        stderr: 'Created user 4712 in SANDBOX-DEV\n',
      })
    },
  )

  test('without a terminal, a change is made in the sandbox if the sandbox is the default profile', async () => {
    await machine.facescan('profiles use SANDBOX-DEV')
    expect(await machine.facescan('users create 4712')).toMatchObject({ exitCode: 0 })
  })

  test('if no profile is selected, the error for a change lists the profiles that can be selected', async () => {
    await addProfile('ACME')
    const { stderr } = await machine.facescan('users create 4712')
    expect(stderr).toContain('or with the profile of a service: ACME\n')
  })

  test.each(['sandbox scan 4711', 'sandbox status', 'demo'])(
    'a command that always uses a sandbox needs no profile: %s',
    async (line) => {
      const ran = await machine.facescan(line)
      expect(ran.exitCode).toBe(0)
      expect(ran.stderr + ran.stdout).not.toContain('no profile')
    },
  )
})

describe('on a terminal and without a selected profile', () => {
  const terminal = { terminal: true, env: { NO_COLOR: '1' } }

  test('on a terminal without a selected profile, commands that read or change data use the sandbox and print no warning', async () => {
    const created = await machine.facescan('users create 4712', terminal)
    expect(created).toMatchObject({ exitCode: 0 })
    expect(created.stderr).not.toContain('warning')
    expect((await machine.facescan('users get 4712', terminal)).stderr).toBe('')
  })

  test('if a profile exists but none is selected, a change on a terminal is refused, and a read-only command uses the sandbox', async () => {
    await addProfile('ACME-DEV')
    const refused = await machine.facescan('users create 4712', terminal)
    expect(refused).toMatchObject({ exitCode: 13, stdout: '' })
    expect(refused.stderr).toContain('ACME-DEV')
    expect(await createdUsers()).toBe(1)
    expect(await machine.facescan('users get 4711', terminal)).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

test('"profiles use" warns if FACESCAN_PROFILE overrides the new default profile', async () => {
  await addProfile('ACME-DEV')
  const env = { FACESCAN_PROFILE: 'SANDBOX-DEV' }
  const used = await machine.facescan('profiles use ACME-DEV', { env })
  expect(used.stderr).toContain('unset it: unset FACESCAN_PROFILE')
  expect((await machine.facescan('profiles use SANDBOX-DEV', { env })).stderr).not.toContain('unset')
})
