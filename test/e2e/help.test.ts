import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const home = mkdtempSync(join(tmpdir(), 'facescan-help-'))

test.each([
  '',
  '--help',
  'users -h',
  'users get --help',
  '--help answers import',
  'scan-url --help',
  'users get --help --json',
  'user --help',
  'users got --help',
])('"%s" prints the same help in the built program as in the program from source', async (line) => {
  const { facescan } = createMachine()
  const source = await facescan(line)
  const words = line.split(' ').filter(Boolean)
  const built = spawnSync(process.execPath, [resolve('bin/facescan.js'), ...words], {
    env: { HOME: home },
    encoding: 'utf8',
  })
  expect({ ...built, stdout: built.stdout.replaceAll(version, '0.0.0-dev') }).toMatchObject({
    status: source.exitCode,
    stdout: source.stdout,
    stderr: source.stderr,
  })
})

const quotedProgram = `'${process.execPath}' '${resolve('bin/facescan.js')}'`
const shell = (script: string) =>
  spawnSync('sh', ['-c', script], { env: { PATH: process.env['PATH'], HOME: home }, encoding: 'utf8' })

test('help prints the same text to a pipe, a socket, and a file', () => {
  const file = join(home, 'help.txt')
  const { stdout } = shell(`${quotedProgram} users --help | cat`)
  expect(stdout).toContain('facescan users create')
  expect(shell(`${quotedProgram} users --help`).stdout).toBe(stdout)
  shell(`${quotedProgram} users --help > '${file}'`)
  expect(readFileSync(file, 'utf8')).toBe(stdout)
})

test('help exits without an error if the reader of its pipe has exited', () => {
  const { stdout, stderr } = shell(`{ sleep 0.2; ${quotedProgram} --help; echo $? >&2; } | true`)
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '0\n' })
})

test.runIf(existsSync('/dev/full'))('help reports an error if the output device is full', () => {
  const { status, stderr } = shell(`${quotedProgram} --help > /dev/full`)
  expect(status).toBe(13)
  expect(stderr).toContain('error: ')
})
