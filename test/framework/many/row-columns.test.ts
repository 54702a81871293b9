import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { loadCommands } from '../../../src/routes/routes.ts'
import { createMachine } from '../../helpers/facescan.ts'

const { facescan, home } = createMachine()

beforeAll(async () => {
  for (const id of ['u1', 'u2']) await facescan(`users create ${id} --language nl`)
})

function listOf(content: string): string {
  const path = join(home, 'staff.csv')
  writeFileSync(path, content)
  return path
}

it('if a column of the list has the name of a file flag, such as qr-file, "scan-url" ignores the column and prints a warning', async () => {
  const precious = join(home, 'precious.ndjson')
  writeFileSync(precious, 'keep me')
  const created = join(home, 'new.png')
  const list = listOf(
    `external_user_id,qr-file,qr_file,wait,copy,open\nu1,${precious},,1s,,\nu2,,${created},,yes,yes\n`,
  )
  const { exitCode, stdout, stderr } = await facescan(`scan-url --users ${list} -o csv`)
  expect(exitCode, stderr).toBe(0)
  expect(stdout.trim().split('\r\n')).toHaveLength(3)
  expect(readFileSync(precious, 'utf8')).toBe('keep me')
  expect(existsSync(created)).toBe(false)
  expect(stderr).toContain('ignored columns with the name of a flag: qr-file, qr_file, wait, copy, open')
})

it.each(['token', 'dashboard-url'])(
  '"%s --users" ignores a column of the list that contains the path of an output file',
  async (command) => {
    const precious = join(home, 'precious.ndjson')
    writeFileSync(precious, 'keep me')
    const { exitCode, stderr } = await facescan(
      `${command} --users ${listOf(`external_user_id,qr-file\nu1,${precious}\n`)} -o csv`,
    )
    expect(exitCode, stderr).toBe(0)
    expect(readFileSync(precious, 'utf8')).toBe('keep me')
  },
)

it('the columns of a list can set only the flags that this test lists for each command', async () => {
  const commands = (await loadCommands()).filter(({ command }) => command.many)
  const rowFlags = commands.map(({ name, command }) => [name, ...(command.many?.rowFlags ?? [])].join(' '))
  expect(rowFlags.toSorted()).toEqual([
    'answers list limit',
    'biomarkers latest count',
    'biomarkers list start end order limit',
    'dashboard-url language disable',
    'metrics',
    'recommendations language limit',
    'scan-url language expireAt',
    'summary language',
    'token',
    'users delete',
    'users get',
    'wellbeing',
  ])
})

it('if a list has a column __proto__, --keep copies the column to the output in every format', async () => {
  const list = listOf('external_user_id,__proto__\nu1,kept\n')
  for (const format of ['csv', 'json', 'ndjson']) {
    const { exitCode, stdout, stderr } = await facescan(
      `users get --users ${list} --keep __proto__ -o ${format}`,
    )
    expect(exitCode, stderr).toBe(0)
    expect(stdout, format).toContain('kept')
  }
})
