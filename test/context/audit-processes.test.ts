import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type HostileServer, hang, reply, serve } from '../helpers/hostile-server.ts'

const change = ['api', 'PUT', '/v2/users/x', '-f', 'language=nl', '-p', 'REMOTE', '--confirm=REMOTE']
const program = [process.execPath, resolve('bin/facescan.js'), ...change]

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

async function addProduction({ url }: HostileServer): Promise<void> {
  const line = `profiles add REMOTE --key-stdin --store file --no-verify --base-url ${url}`
  expect((await machine.facescan(line, { stdin: 'k'.repeat(40) })).exitCode).toBe(0)
}

function start([command = '', ...words]: readonly string[]): ChildProcess {
  const child = spawn(command, words, {
    env: { PATH: process.env['PATH'], ...machine.env },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function latestEntry(): Promise<unknown> {
  return JSON.parse((await machine.facescan('history list --json')).stdout)[0]
}

describe.skipIf(process.platform === 'win32')('a change in a process of its own', () => {
  test.each([
    ['is not sent if the file-size limit prevents the intent', 'ulimit -f 0', [null, 'SIGXFSZ'], 0],
    ['is sent without a file-size limit', 'true', [0, null], 1],
  ])('%s', async (_, limit, end, sent) => {
    const server = await serve(() => reply(200, {}))
    await addProduction(server)
    const child = start(['bash', '-c', `${limit} && exec "$@"`, 'bash', ...program])
    expect(await once(child, 'close')).toEqual(end)
    expect(server.requests).toHaveLength(sent)
    expect((await machine.facescan('history verify')).exitCode).toBe(0)
  })

  test('leaves its intent in the log if it is killed while the reply is pending', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((done) => {
      arrive = done
    })
    const server = await serve(() => {
      arrive()
      return hang()
    })
    await addProduction(server)
    const child = start(program)
    const ended = once(child, 'close')
    await Promise.race([arrived, ended])
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await latestEntry()).toMatchObject({ command: 'api', profile: 'REMOTE', outcome: 'unknown' })
    expect((await machine.facescan('history verify')).exitCode).toBe(0)
  })
})
