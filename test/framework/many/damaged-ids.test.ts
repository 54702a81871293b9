import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

function fileOf(content: string, name = 'staff.csv'): string {
  const path = join(machine.home, name)
  writeFileSync(path, content)
  return path
}

const run = (line: string) => machine.facescan(`${line} -p SANDBOX-DEV`)
const exists = async (id: string) =>
  (await machine.facescan(['users', 'get', id, '-p', 'SANDBOX-DEV'])).exitCode === 0

test.each(['#N/A', '#NV', '5.002E+03', '5,002E+03', 'TRUE', 'WAAR'])(
  'users import refuses the ID %s and shows its line, even with --skip-invalid',
  async (id) => {
    const path = fileOf(`external_user_id;sex\nfine;F\n${id};F\n`)
    const refused = await run(`users import ${path}`)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('line 3')
    expect(refused.stderr).toContain('--ids exact')
    expect(await exists('fine')).toBe(false)
    expect((await run(`users import ${path} --skip-invalid`)).exitCode).toBe(0)
    expect([await exists('fine'), await exists(id)]).toEqual([true, false])
  },
)

test('users import removes spaces around IDs and accepts a column "Birth date"', async () => {
  const path = fileOf('External User ID,Birth date \n 000125 ,1984-02-29\n\u00a0000126,\n')
  const { exitCode, stderr } = await run(`users import ${path}`)
  expect(exitCode, stderr).toBe(0)
  expect(await Promise.all(['000125', '000126', ' 000125 '].map(exists))).toEqual([true, true, false])
  expect((await run('users get 000125 --jq .birth_date')).stdout.trim()).toBe('1984-02-29')
})

test('users whose IDs look like spreadsheet errors can be read and deleted with a list', async () => {
  const path = fileOf('external_user_id\n#N/A\n" b "\n')
  expect((await run(`users import ${path} --ids exact`)).exitCode).toBe(0)
  expect([await exists('#N/A'), await exists(' b ')]).toEqual([true, true])
  expect((await run(`scan-url --users ${path} --ids exact -o csv`)).exitCode).toBe(0)
  const damaged = fileOf('external_user_id\n#N/A\n', 'damaged.csv')
  const { exitCode, stderr } = await run(`users delete --users ${damaged} --confirm=1`)
  expect(exitCode, stderr).toBe(0)
  expect(await exists('#N/A')).toBe(false)
})

test('users import rejects two rows with the same ID only if their other cells differ', async () => {
  const path = fileOf('external_user_id,birth_date,note\nQ1,1990-01-01,x\nQ2,1990-01-01,x\nQ1,1991-01-01,x\n')
  const refused = await run(`users import ${path}`)
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('line 4: the same user ID as on line 2, with different data')
  expect(refused.stderr).toContain('2 invalid rows')
  const skipped = await run(`users import ${path} --skip-invalid --json`)
  expect(skipped.exitCode, skipped.stderr).toBe(0)
  expect([await exists('Q1'), await exists('Q2')]).toEqual([false, true])
  const equal = fileOf('external_user_id,birth_date,note\nQ3,1990-01-01,x\nQ3,1990-01-01,y\n', 'equal.csv')
  const plan = await run(`users import ${equal} --dry-run`)
  expect(plan.stderr).toContain('1 row repeats an earlier row; each user counts once')
  expect(plan.stderr).toContain('would import 1 user')
  expect((await run(`users import ${equal}`)).exitCode).toBe(0)
})

test('a list with an unclosed quote is refused, even with --skip-invalid', async () => {
  const path = fileOf('external_user_id,sex\na,F\n"b,F\nc,F\n')
  const { exitCode, stderr } = await run(`users import ${path} --skip-invalid`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('the quotation mark on line 3 has no closing quotation mark')
  expect(await exists('a')).toBe(false)
})
