import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { orUndefined } from '../../src/base/functions.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { openPty } from '../helpers/pty.ts'

const program = resolve('bin/facescan.js')
const line = ['users', 'get', '4711', '-p', 'STORED']

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

function storeKeyCommand(keyCommand: string): void {
  const profile = { store: 'command', keyCommand, baseUrl: 'http://127.0.0.1:9' }
  const file = { version: 1, profiles: { STORED: profile } }
  writeFileSync(join(machine.home, 'config', 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
}

/**
 * Writes a script that runs the program with `--max-time 1h`, and makes this time end as soon as the key command has created a file. A
 * fixed time would be unreliable, because the program can take seconds to start.
 */
function endTimeAfter(started: string): void {
  const script = join(machine.home, 'preload.cjs')
  writeFileSync(
    script,
    `const { existsSync } = require('node:fs')
    const { promisify } = require('node:util')
    const sleep = promisify(setTimeout)
    const delay = setTimeout
    globalThis.setTimeout = Object.assign((...rest) => delay(...rest), {
      [promisify.custom]: async (ms, ...rest) => {
        if (ms !== 3_600_000) return sleep(ms, ...rest)
        while (!existsSync(${JSON.stringify(started)})) await sleep(20)
      },
    })`,
  )
  machine.env['NODE_OPTIONS'] = `--require ${script}`
}

/** Starts the program without a terminal, like a scheduled job. */
function startJob(words: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], ...machine.env }
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore', detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Expects the end of the process. The file contains the process ID. */
async function expectEnded(file: string): Promise<void> {
  const state = `/proc/${readFileSync(file, 'utf8').trim()}/stat`
  // A process that has ended is a zombie (Z) until its parent reads the exit code.
  await expect.poll(() => orUndefined(() => readFileSync(state, 'utf8')) ?? 'ended').toMatch(/^ended$|\) Z /)
}

describe.skipIf(process.platform === 'win32')('a key command that is stopped', () => {
  test.each([
    ['a signal', [], 'sleep 1000', 130],
    ['--max-time', ['--max-time', '1h'], 'sleep 1000', 9],
    ['the limit of its output', [], 'yes', 13],
  ])('%s ends a key command and the programs that it started', async (_, words, last, exitCode) => {
    const started = join(machine.home, 'started')
    storeKeyCommand(`sleep 1000 & echo $! > ${started}.new; mv ${started}.new ${started}; ${last}; true`)
    endTimeAfter(started)
    const job = startJob([...line, ...words])
    const ended = once(job, 'close')
    await expect.poll(() => existsSync(started)).toBe(true)
    if (exitCode === 130) job.kill('SIGINT')
    expect(await ended).toEqual([exitCode, null])
    await expectEnded(started)
  })

  test('if a key command starts programs, they keep running after the key command ends', async () => {
    const started = join(machine.home, 'started')
    storeKeyCommand(`sleep 1000 > /dev/null 2>&1 & echo $! > ${started}; echo ${'k'.repeat(40)}`)
    expect(await once(startJob([...line, '--retries', '0']), 'close')).toEqual([9, null])
    const agent = Number(readFileSync(started, 'utf8'))
    expect(process.kill(agent, 'SIGKILL')).toBe(true)
  })
})

test.skipIf(process.platform === 'win32')(
  'on a terminal, --max-time ends a key command and the programs that it started',
  async () => {
    const started = join(machine.home, 'started')
    storeKeyCommand(`sleep 1000 & echo $! > ${started}.new; mv ${started}.new ${started}; sleep 1000; true`)
    endTimeAfter(started)
    // The shell keeps the terminal open. A closed terminal would end the programs.
    const words = [process.execPath, program, ...line, '--max-time', '1h'].join(' ')
    const pty = openPty('/bin/sh', ['-c', `${words}; echo "exit code $?"; read -r _`], { env: machine.env })
    await pty.waitFor(/exit code 9/)
    await expectEnded(started)
    pty.type('\r')
    await pty.ended
  },
)

test('a key command can ask for a password on the terminal', async () => {
  storeKeyCommand('printf "Password: " > /dev/tty; read -r answer < /dev/tty; echo "$answer"')
  const pty = openPty(process.execPath, [program, ...line, '--retries', '0'], { env: machine.env })
  await pty.waitFor(/Password: /)
  pty.type(`${'k'.repeat(40)}\r`)
  expect(await pty.ended).toBe(9)
})
