import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'

// A terminal of 24 lines shows 14 rows, because the other lines are reserved.
const terminal = { terminal: true, columns: 200 }

let machine: Machine

beforeEach(() => {
  machine = createMachine({ NO_COLOR: '1' })
})

const facescan = (line: string, options = {}) => machine.facescan(line, options)

const listOf = (rows: readonly string[], header = 'external_user_id') => {
  const path = join(machine.home, 'list.csv')
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`)
  return path
}

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`)

const create = async (ids: readonly string[]) => {
  const { exitCode, stderr } = await facescan(`users import ${listOf(ids)}`)
  expect(exitCode, stderr).toBe(0)
}

test('on a terminal, a table of a list shows at most 14 rows, and a note counts the other rows', async () => {
  await create(idsOf(16))
  const get = async (rows: number, flags = '') => {
    const { stdout, stderr } = await facescan(`users get --users ${listOf(idsOf(rows))}${flags}`, terminal)
    return { rows: stdout.match(/^id\d+ /gm)?.length ?? 0, note: /.*not shown.*/.exec(stderr)?.[0] }
  }
  expect(await get(14)).toEqual({ rows: 14, note: undefined })
  expect(await get(15)).toEqual({
    rows: 14,
    note: '· 1 more row not shown; write all rows with --out FILE',
  })
  expect(await get(16)).toMatchObject({ rows: 14, note: expect.stringContaining('2 more rows not shown') })
})

test('on a terminal, a list reports at most 14 failed users, and a warning counts the other failed users', async () => {
  const get = async (rows: number, flags = '') => {
    const ids = idsOf(rows).map((id) => `missing-${id}`)
    const { stdout, stderr } = await facescan(`users get --users ${listOf(ids)}${flags}`, terminal)
    expect(stdout).toBe('')
    return { failures: stderr.match(/line \d+: user/g)?.length ?? 0, note: /.*not shown.*/.exec(stderr)?.[0] }
  }
  expect(await get(14)).toEqual({ failures: 14, note: undefined })
  expect(await get(15)).toEqual({
    failures: 14,
    note: '! 1 more failed user not shown; to save all failed users, add --errors errors.csv',
  })
  expect(await get(15, ` --errors ${machine.home}/errors.csv`)).toEqual({ failures: 0, note: undefined })
  expect(existsSync(join(machine.home, 'errors.csv'))).toBe(true)
})

test('in a pipe, a command for a list prints every row and reports every failed user', async () => {
  await create(idsOf(16))
  const ids = idsOf(16).flatMap((id) => [id, `missing-${id}`])
  const { stdout, stderr } = await facescan(`users get --users ${listOf(ids)} -o csv`)
  expect(stdout.match(/^id\d+,/gm)).toHaveLength(16)
  expect(stderr.match(/"line":\d+/g)).toHaveLength(16)
})

test('before "users import" sends a list, it shows the first three users, without invalid and repeated rows', async () => {
  const rows = ['a,1980-01-01', 'a,1980-01-01', 'b,1980-13-01', 'c,', 'd,1980-01-02', 'e,']
  const line = `users import ${listOf(rows, 'external_user_id,birth_date')} --skip-invalid --dry-run`
  const shown = await facescan(line)
  expect(shown.stderr).toContain(
    'First users to be sent:\n  line 2: a, birth_date 1980-01-01\n  line 5: c\n  line 6: d, birth_date 1980-01-02\n',
  )
  expect(shown.stderr).toContain(
    'would import 4 users in SANDBOX-DEV (the built-in sandbox); would skip 1 invalid row',
  )
  expect((await facescan(`${line} --quiet`)).stderr).not.toContain('First users')
})

test('a dry run of a list without valid rows prints only the number of skipped rows', async () => {
  const { stderr } = await facescan(
    `users import ${listOf(['a,1980-13-01'], 'external_user_id,birth_date')} --skip-invalid --dry-run`,
  )
  expect(stderr).toBe(
    'dry run: would import 0 users in SANDBOX-DEV (the built-in sandbox); would skip 1 invalid row; nothing was sent\n',
  )
})

test('a dry run of "users import --existing update" prints at most ten differences, and the number of the other differences', async () => {
  const ids = idsOf(12)
  await create(ids)
  const preview = async (count: number, flags = '') => {
    const list = listOf(
      ids.slice(0, count).map((id) => `${id},F`),
      'external_user_id,sex',
    )
    const { stderr } = await facescan(`users import ${list} --existing update --dry-run${flags}`)
    return {
      shown: stderr.match(/ {2}line \d+: sex .* → F\n/g)?.length ?? 0,
      more: / {2}and .*/.exec(stderr)?.[0],
    }
  }
  expect(await preview(10)).toEqual({ shown: 10, more: undefined })
  expect(await preview(12)).toEqual({ shown: 10, more: '  and 2 more' })
  expect(await preview(12, ' --quiet')).toEqual({ shown: 0, more: undefined })
})

test('on a terminal, a kept column named "constructor" has its name as the title', async () => {
  await create(['a'])
  const list = listOf(['a,x'], 'external_user_id,constructor')
  const { stdout, stderr, exitCode } = await facescan(
    `users get --users ${list} --keep constructor`,
    terminal,
  )
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(/External user ID.* constructor /)
})
