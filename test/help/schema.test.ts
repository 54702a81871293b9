import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import type { ProgramSchema } from '../../src/framework/program-schema.ts'
import { describeFlags } from '../../src/help/describe.ts'
import { loadCommands } from '../../src/routes/routes.ts'
import { createMachine } from '../helpers/facescan.ts'

const { facescan } = createMachine()
const commands = await loadCommands()
const { stdout } = await facescan('schema --json')
const schema: ProgramSchema = JSON.parse(stdout)

function find(command: string) {
  return schema.commands.find((one) => one.command === command)!
}

test('the schema lists every command with its flags', () => {
  expect(schema.commands.map(({ command }) => command)).toEqual(commands.map(({ name }) => name))
  for (const { name, command } of commands) {
    expect(find(name).flags.map(({ long }) => long)).toEqual(
      describeFlags(command.options).map(({ long }) => long),
    )
  }
  expect(schema.global_flags.map(({ long }) => long)).toContain('--json')
})

test('the schema lists the effect, credentials, and exit codes of each command', () => {
  expect(find('users get')).toMatchObject({ effect: 'read', credentials: ['key'] })
  expect(find('users create')).toMatchObject({ effect: 'change' })
  expect(find('users delete')).toMatchObject({ effect: 'destroy', exit_codes: expect.arrayContaining([12]) })
  expect(find('api')).toMatchObject({ effect: 'destroy' })
  expect(find('wellbeing')).toMatchObject({ credentials: ['key', 'token'] })
  expect(find('profiles remove')).toMatchObject({ effect: 'read', local_effect: 'destroy', credentials: [] })
  expect(find('answers import').exit_codes).toEqual(expect.arrayContaining([10, 11]))
  expect(find('users get').exit_codes).toEqual(expect.arrayContaining([10, 11]))
  expect(find('users create').exit_codes).not.toContain(10)
})

test.each([
  ['profiles remove ACME', 12],
  ['profiles set ACME --protect off', 12],
  ['sandbox reset', 12],
  ['sandbox scan --external-user-id nobody', 4],
  ['profiles add OTHER-DEV --key-file OTHER --base-url http://127.0.0.1:9 --retries 0', 9],
  ['answers keys --profile ACME-DEV --key-file PRODUCTION', 12],
  ['imports merge none', 2],
  ['demo --max-time 20ms', 9],
])('the exit code of "%s" is listed in the schema', async (line, exitCode) => {
  const machine = createMachine()
  const key = (name: string) => {
    writeFileSync(join(machine.home, name), name.repeat(9), { mode: 0o600 })
    return join(machine.home, name)
  }
  const url = '--no-verify --base-url http://127.0.0.1:9'
  await machine.facescan(`profiles add ACME --store file --key-file ${key('PRODUCTION')} ${url}`)
  await machine.facescan(`profiles add ACME-DEV --key-file ${key('DEVELOPMENT')} ${url}`)
  const ran = await machine.facescan(line.replace(/(?<=--key-file )\w+/, key))
  expect(ran.exitCode, ran.stderr).toBe(exitCode)
  const command = schema.commands.find((one) => line.startsWith(`${one.command} `) || line === one.command)
  expect(command?.exit_codes).toContain(exitCode)
})

test('the JSON schema for "biomarkers get" contains the types of its fields and its required fields', () => {
  expect(find('biomarkers get').output).toMatchObject({
    type: 'object',
    properties: { heart_rate: { type: ['number', 'null'] } },
    required: expect.arrayContaining(['face_scan_id', 'timestamp']),
  })
})

test.each([
  ['users get', 'u1', ''],
  ['users get', '--users LIST --keep email', ''],
  ['wellbeing', '--users LIST', ''],
  ['biomarkers list', '--users LIST', ''],
  ['token', '--users LIST', ''],
  ['users import', 'LIST', ''],
  ['users delete', '--users LIST', '--confirm=2'],
  ['users delete', 'u1', '--yes'],
])('the JSON output of "%s %s" matches the schema', async (command, words, flag) => {
  const machine = createMachine()
  const list = join(machine.home, 'list.csv')
  writeFileSync(list, 'external_user_id,email\nu1,a@example.com\nu2,b@example.com\n')
  for (const id of ['u1', 'u2']) {
    await machine.facescan(`users create ${id}`)
    await machine.facescan(`sandbox scan ${id} --count 2`)
  }
  const line = `${command} ${words.replace('LIST', list)} ${flag} --json`
  const ran = await machine.facescan(line)
  expect(ran.exitCode, ran.stderr).toBe(0)
  const entry = commands.find(({ name }) => name === command)!
  expect(safeParse(await entry.command.schema(), JSON.parse(ran.stdout)).error?.issues ?? []).toEqual([])
})

test('every exit code has a description', () => {
  for (const { meaning } of schema.exit_codes) expect(meaning).not.toBe('')
  const known = schema.exit_codes.map(({ exit_code }) => exit_code)
  for (const { exit_codes } of schema.commands) expect(known).toEqual(expect.arrayContaining([...exit_codes]))
})
