import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../../helpers/facescan.ts'
import { staff, useStaff } from './staff.ts'

const { facescan, home, listOf } = useStaff()

const list = ['users', 'get', '--users', 'staff.csv']
const lists: readonly (readonly string[])[] = [
  list,
  ['users', 'delete', '--users', 'staff.csv', '--confirm=1'],
  ['users', 'import', 'staff.csv'],
  ['users', 'import', 'staff.csv', '--with-answers'],
]

const named: readonly (readonly [words: readonly string[], flag: string])[] = [
  ...lists.map((words) => [words, '--out'] as const),
  [['invite', 'staff.csv'], '--out'],
  ...lists.map((words) => [words, '--errors'] as const),
  [list, '--save-mapping'],
  [['answers', 'import', 'staff.csv'], '--save-mapping'],
]

test.each(
  named.flatMap(([words, flag]) => ['-', ''].map((name) => [words.join(' '), flag, name, words] as const)),
)('"%s %s %j" is a usage error that sends nothing and writes no file', async (_, flag, name, words) => {
  const machine = createMachine()
  const file = join(machine.home, 'staff.csv')
  writeFileSync(file, 'external_user_id\n4711\n')
  const line = [...words, flag, name].map((word) => (word === 'staff.csv' ? file : word))
  const before = readdirSync(machine.home)
  const refused = await machine.facescan(line)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain(`${flag}: "${name}" is not a file name`)
  expect(readdirSync(machine.home)).toEqual(before)
  expect(existsSync('-')).toBe(false)
  expect((await machine.facescan('users get 4711')).exitCode).toBe(4)
})

test('--out writes an owner-only file, and a second file lists the failed users', async () => {
  const out = join(home, 'scans.csv')
  const ran = await facescan(`biomarkers latest --users ${listOf(staff)} --out ${out}`)
  expect(ran).toMatchObject({ exitCode: 10, stdout: '' })
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(readFileSync(out, 'utf8').split('\r\n')).toHaveLength(4)
  const errors = join(home, 'scans.errors.csv')
  expect(statSync(errors).mode & 0o777).toBe(0o600)
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^external_user_id,email,language,_line,_column,_code,_message\nnope,c@example\.com,de,3,,not_found,/,
  )
  expect(existsSync(`${out}.partial`)).toBe(false)
  const again = await facescan(`biomarkers latest --users ${errors} -o csv`)
  expect(again.stderr).toContain('1 of 1 user failed')
})

test('the file in --errors has a header even if the list has none, and is not written if no user fails', async () => {
  const errors = join(home, 'failed.csv')
  const ran = await facescan(`users get --users ${listOf('u1\nnope\n')} --errors ${errors} -o csv`)
  expect(ran).toMatchObject({ exitCode: 10 })
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^external_user_id,_line,_column,_code,_message\nnope,2,,not_found,.*\n$/,
  )
  const none = join(home, 'none.csv')
  const fine = await facescan(`users get --users ${listOf('u1\n')} --errors ${none} -o csv`)
  expect(fine, fine.stderr).toMatchObject({ exitCode: 0 })
  expect(existsSync(none)).toBe(false)
})

test('--errors is refused before the first request if it is the path of the list', async () => {
  const list = listOf(staff)
  for (const out of ['', `--out ${join(home, 'scans.csv')}`]) {
    const { exitCode, stderr } = await facescan(`biomarkers latest --users ${list} ${out} --errors ${list}`)
    expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
    expect(stderr).toContain(`--errors ${list} would overwrite the input file`)
  }
})

test('--errors is refused if its path leads to the list or is the path in --out', async () => {
  const list = listOf(staff)
  const out = join(home, 'same.csv')
  const other = `${home}/./staff.csv`
  const link = join(home, 'link.csv')
  symlinkSync(list, link)
  for (const errors of [other, link]) {
    const { exitCode, stderr } = await facescan(`biomarkers latest --users ${list} --errors ${errors}`)
    expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
    expect(stderr).toContain(`--errors ${errors} would overwrite the input file`)
  }
  const { exitCode, stderr } = await facescan(`users get --users ${list} --out ${out} --errors ${out}`)
  expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
  expect(stderr).toContain('the results and the failed users would both be written to')
  expect(readFileSync(list, 'utf8')).toBe(staff)
  expect(existsSync(out)).toBe(false)
})

test.each([
  ['o.csv', 'o.csv.partial'],
  ['o.csv.partial', 'o.csv'],
  ['o.csv', 'linked/o.csv'],
  ['linked/o.csv', 'o.csv.partial'],
])('--out %s and --errors %s are refused, because they would write to the same file', async (out, errors) => {
  const folder = mkdtempSync(join(home, 'same-'))
  symlinkSync(folder, join(folder, 'linked'))
  const files = `--out ${join(folder, out)} --errors ${join(folder, errors)}`
  const { exitCode, stderr } = await facescan(`users get --users ${listOf(staff)} ${files}`)
  expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
  expect(stderr).toContain('the results and the failed users would both be written to')
  expect(readdirSync(folder)).toEqual(['linked'])
})

test.each([
  ['--errors', 'folder', 2, 'is a directory'],
  ['--errors', 'blocked.csv', 2, 'blocked.csv.partial is a directory'],
  ['--errors', 'missing/errors.csv', 13, 'no such file or directory'],
  ['--errors', 'missing/', 13, 'no such file or directory'],
  ['--errors', 'ok.txt/x', 13, 'not a directory'],
  ['--errors', 'loop', 13, 'too many symbolic links encountered'],
  ['--out', 'folder', 2, 'is a directory'],
  ['--out', 'missing/o.csv', 13, 'no such file or directory'],
  ['--out', 'ok.txt/x', 13, 'not a directory'],
  ['--out', 'loop', 13, 'too many symbolic links encountered'],
])(
  '%s with the path %s, which cannot be written, is refused before the first request',
  async (flag, path, code, message) => {
    for (const name of ['folder', 'blocked.csv.partial']) mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, 'ok.txt'), '')
    rmSync(join(home, 'loop'), { force: true })
    symlinkSync('loop', join(home, 'loop'))
    const ran = await facescan(`users get --users ${listOf('u1\nnope\n')} ${flag} ${join(home, path)} -o csv`)
    expect(ran, ran.stderr).toMatchObject({ exitCode: code, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).toContain(`hoose another file with ${flag}`)
  },
)

test.each([
  ['--errors', 250],
  ['--out', 300],
])('%s with a file name of %i characters is refused before the first request', async (flag, length) => {
  const path = join(home, 'x'.repeat(length))
  const ran = await facescan(`users get --users ${listOf('u1\n')} ${flag} ${path} -o csv`)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 13, stdout: '' })
  expect(ran.stderr).toContain('(name too long)')
})

test.each(['--out', '--errors'])(
  '%s is refused if its temporary file (suffix .partial) is the list',
  async (flag) => {
    const list = listOf(staff, 'interrupted.csv.partial')
    const path = join(home, 'interrupted.csv')
    const { exitCode, stderr } = await facescan(`users get --users ${list} ${flag} ${path}`)
    expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
    expect(stderr).toContain(`${flag} ${path} would overwrite the input file ${list}`)
    expect(readFileSync(list, 'utf8')).toBe(staff)
  },
)

test('--out is refused if it is the path of the list', async () => {
  const list = listOf(staff)
  const { exitCode, stderr } = await facescan(`users get --users ${list} --out ${list}`)
  expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
  expect(stderr).toContain(`--out ${list} would overwrite the input file`)
})

test('if the output is on stdout, "users get" replaces a file in --errors only with --yes', async () => {
  const errors = join(home, 'mine.csv')
  writeFileSync(errors, 'mine')
  const line = `users get --users ${listOf('missing-1\n')} --errors ${errors} -o csv`
  const refused = await facescan(line)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain(`${errors} already exists`)
  expect(readFileSync(errors, 'utf8')).toBe('mine')
  expect((await facescan(`${line} --yes`)).exitCode).toBe(10)
  expect(readFileSync(errors, 'utf8')).toContain('missing-1')
})

test('"users get" does not replace an existing errors file, or a link at the path in --out', async () => {
  const out = join(home, 'new.csv')
  const errors = join(home, 'new.errors.csv')
  const line = `users get --users ${listOf('missing-1\n')} --out ${out}`
  writeFileSync(errors, 'mine')
  const refused = await facescan(line)
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('new.errors.csv already exists')
  expect(readFileSync(errors, 'utf8')).toBe('mine')
  rmSync(errors)
  symlinkSync(join(home, 'nowhere.csv'), out)
  expect((await facescan(line)).stderr).toContain('new.csv already exists')
  rmSync(out)
  expect((await facescan(line)).exitCode).toBe(10)
  // This command may replace the errors file, because the previous command wrote it.
  rmSync(out)
  expect((await facescan(line)).exitCode).toBe(10)
})
