import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { reply, serve } from '../helpers/hostile-server.ts'
import { startProgram } from '../helpers/program.ts'
import { user } from '../http/client.ts'
import { confirmed, listed } from './send/fixture.ts'

/** Root can write to each directory, so the program runs as another user. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined
const program = resolve('bin/facescan.js')
const readProgram = `require('node:fs').readFileSync(${JSON.stringify(program)})`
const canRun =
  process.platform !== 'win32' &&
  spawnSync(process.execPath, ['-e', readProgram], uid === undefined ? {} : { uid }).status === 0

/** A home directory that belongs to the user of the program. */
function prepareHome(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const rows = Array.from({ length: 40 }, (_, n) => `u${n},height,${n},UTC\n`).join('')
  writeFileSync(join(folder, 'answers.csv'), `external_user_id,lookup_key,value,timezone\n${rows}`)
  if (uid === undefined) return folder
  for (const parent of [dirname(folder), dirname(dirname(folder))]) chmodSync(parent, 0o711)
  for (const name of ['.', 'state', 'answers.csv']) chownSync(join(folder, name), uid, uid)
  return folder
}

function chmodAll(folder: string, mode: number): void {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of inside) if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), mode)
  chmodSync(folder, mode)
}

test.runIf(canRun).each([
  ['answers import', /cannot write \S*state\/imports\/\w+ \(permission denied\); 40 of 40 answers accepted/],
  [
    'users get --users',
    /cannot write \S*state\/lists\/\w+ \(permission denied\); 40 done, 0 failed, 0 not tried/,
  ],
])(
  'if the state directory becomes read-only during "%s", the error names the directory, and the command can be resumed',
  async (command, message) => {
    const folder = prepareHome()
    const state = join(folder, 'state')
    const isImport = command === 'answers import'
    let sent = 0
    const server = await serve((request) => {
      if (request.target.includes('/all')) return reply(200, ['height'])
      if (isImport && request.method === 'GET') return listed([])
      if (++sent === 20) chmodAll(state, 0o500)
      return isImport ? confirmed(request) : reply(200, user)
    })
    const run = async () => {
      const file = join(folder, 'answers.csv')
      const flags = isImport ? ['--confirm', 'development'] : ['--out', join(folder, 'users.csv')]
      const words = [...command.split(' '), file, ...flags]
      const child = startProgram(words, { folder, url: server.url, stderr: 'pipe', uid })
      const [stderr, [exitCode]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
      return { stderr, exitCode }
    }
    const first = await run()
    expect(first.exitCode, first.stderr).toBe(13)
    expect(first.stderr).toMatch(message)
    expect(await run()).toMatchObject({ exitCode: 13 })
    chmodAll(state, 0o700)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(sent).toBe(40)
  },
)
