import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../../helpers/facescan.ts'

const list = ['users', 'get', '--users', 'staff.csv']
const lists: readonly (readonly string[])[] = [
  list,
  ['users', 'delete', '--users', 'staff.csv', '--confirm=1'],
  ['users', 'import', 'staff.csv'],
  ['users', 'import', 'staff.csv', '--with-answers'],
]

test.each(lists.flatMap((words) => ['-', ''].map((name) => [words.join(' '), name, words] as const)))(
  '"%s --out %j" is a usage error that sends nothing and writes no file',
  async (_, name, words) => {
    const machine = createMachine()
    const file = join(machine.home, 'staff.csv')
    writeFileSync(file, 'external_user_id\n4711\n')
    const line = [...words, '--out', name].map((word) => (word === 'staff.csv' ? file : word))
    const before = readdirSync(machine.home)
    const refused = await machine.facescan(line)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`--out: "${name}" is not a file name`)
    expect(readdirSync(machine.home)).toEqual(before)
    expect(existsSync('-')).toBe(false)
    expect((await machine.facescan('users get 4711')).exitCode).toBe(4)
  },
)
