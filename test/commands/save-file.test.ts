import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

let machine: Machine
let file: string

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan('users create 4711')
  file = join(machine.home, 'out.file')
})

describe.each([
  ['ce-label --out', 'ce-label --out FILE'],
  ['token --qr-file', 'token 4711 --qr-file FILE'],
  ['doctor --bundle', 'doctor --bundle FILE'],
])('%s', (_, line) => {
  const save = (words = '') =>
    machine.facescan(`${line.replace('FILE', file)} ${words}`, { env: { FACESCAN_PROFILE: 'SANDBOX-DEV' } })

  it('a new file that a command saves can be read only by its owner', async () => {
    const saved = await save()
    expect(saved.exitCode, saved.stderr).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('an existing file is kept without --yes, and replaced with --yes', async () => {
    writeFileSync(file, 'mine', { mode: 0o644 })
    const refused = await save()
    expect([refused.exitCode, readFileSync(file, 'utf8')]).toEqual([2, 'mine'])
    expect(refused.stderr).toContain('out.file already exists')
    expect((await save('--yes')).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toBe('mine')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(machine.home).filter((name) => name.includes('partial'))).toEqual([])
  })

  it.each(['', '--yes'])(
    'with the flags "%s", a symbolic link at the path of the file is refused',
    async (words) => {
      const target = join(machine.home, 'target')
      symlinkSync(target, file)
      expect((await save(words)).exitCode).toBe(2)
      expect(existsSync(target)).toBe(false)
      writeFileSync(target, 'keep')
      expect((await save(words)).exitCode).toBe(2)
      expect(readFileSync(target, 'utf8')).toBe('keep')
      expect(lstatSync(file).isSymbolicLink()).toBe(true)
    },
  )

  it('an input path that is a named pipe or a directory is refused at once', async () => {
    expect(spawnSync('mkfifo', [file]).status).toBe(0)
    const refused = await save('--yes')
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('out.file is not a regular file')
    file = join(machine.home, 'folder')
    mkdirSync(file)
    expect((await save('--yes')).exitCode).toBe(2)
  })

  it.each([[''], ['-']])('the file name %j is a usage error, and no file is created', async (name) => {
    const words = line.split(' ').map((word) => word.replace('FILE', name))
    const refused = await machine.facescan(words, { env: { FACESCAN_PROFILE: 'SANDBOX-DEV' } })
    expect(refused.exitCode, refused.stderr).toBe(2)
    expect(existsSync('-')).toBe(false)
  })

  it('a command exits with code 13 if the directory of the file to save does not exist', async () => {
    file = join(machine.home, 'none', 'out.file')
    const failed = await save()
    expect(failed.exitCode).toBe(13)
    expect(failed.stderr).toContain('(no such file or directory)')
  })
})

it('"ce-label --out" on a terminal prompts before it replaces a file', async () => {
  writeFileSync(file, 'mine')
  const terminal = { terminal: true, columns: 300, env: { FACESCAN_PROFILE: 'SANDBOX-DEV' } }
  const declined = await machine.facescan(`ce-label --out ${file}`, { ...terminal, stdin: 'n\n' })
  expect([declined.exitCode, readFileSync(file, 'utf8')]).toEqual([12, 'mine'])
  expect(declined.stderr).toContain(`Replace ${file}?`)
  const agreed = await machine.facescan(`ce-label --out ${file}`, { ...terminal, stdin: 'y\n' })
  expect(agreed.exitCode, agreed.stderr).toBe(0)
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG')
})

it.each(['token 4711', 'scan-url 4711', 'dashboard-url 4711'])(
  '"%s" creates nothing on the service if the QR code cannot be written',
  async (line) => {
    const server = await serve(() => reply(500, { detail: 'created' }))
    const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
    writeFileSync(file, 'mine')
    for (const path of [file, join(file, 'code.png'), join(machine.home, 'none', 'code.png'), machine.home])
      expect((await machine.facescan(`${line} --qr-file ${path}`, { env })).exitCode).not.toBe(0)
    expect(server.requests).toEqual([])
  },
)
