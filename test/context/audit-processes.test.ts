import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readLog } from '../../src/audit/changes.ts'
import { resolvePaths } from '../../src/base/paths.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { findLog } from '../helpers/history.ts'
import { type HostileServer, hang, reply, serve } from '../helpers/hostile-server.ts'
import { needs } from '../helpers/needs.ts'

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

function start(
  [command = '', ...words]: readonly string[],
  stderr: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const child = spawn(command, words, {
    env: { PATH: process.env['PATH'], ...machine.env },
    stdio: ['ignore', 'ignore', stderr],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function latestEntry(): Promise<unknown> {
  return JSON.parse((await machine.facescan('history list --json')).stdout)[0]
}

const programs = needs('unshare', 'mount')
/** Bash, because `ulimit -f 1` is a limit of 1,024 bytes in bash and another limit in other shells. */
const shell = needs('bash')

/** Runs a script in a mount namespace with a small disk as the state directory. */
function startOnSmallDisk(script: string) {
  const mount = `${programs.path.mount} -t tmpfs -o size=256k,mode=700 tmpfs "$FACESCAN_STATE_DIR"`
  return start([programs.path.unshare, '-rm', 'sh', '-c', `${mount} && ${script}`, 'sh', ...program], 'pipe')
}

const canMount =
  !programs.missing &&
  spawnSync(programs.path.unshare, ['-rm', programs.path.mount, '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

describe.skipIf(process.platform === 'win32')('a change in a separate process', () => {
  test.skipIf(shell.missing).each([
    ['is not sent if a file-size limit prevents its audit log entry', 'ulimit -f 0', 13, 0, 1],
    ['is not sent if a file-size limit truncates its audit log entry', 'ulimit -f 1', 13, 0, 2],
    ['is sent without a file-size limit', 'true', 0, 1, 1],
  ])(
    'a change is sent only if its audit log entry fits the file-size limit: a change %s',
    async (_, limit, exitCode, sent, damaged) => {
      const server = await serve(() => reply(200, {}))
      await addProduction(server)
      const log = findLog(join(machine.home, 'state'))
      // The log now has 900 bytes, so the next entry exceeds the limit of 1,024 bytes.
      appendFileSync(log, `${'x'.repeat(899 - statSync(log).size)}\n`)
      const child = start([shell.path.bash, '-c', `${limit} && exec "$@"`, 'bash', ...program])
      expect(await once(child, 'close')).toEqual([exitCode, null])
      expect(server.requests).toHaveLength(sent)
      expect((await readLog(resolvePaths(machine.env))).damaged).toBe(damaged)
      // The next entry is on the same line as the incomplete entry. It must be read anyway.
      expect(await once(start(program), 'close')).toEqual([0, null])
      expect(await latestEntry()).toMatchObject({ command: 'api', outcome: 'done' })
      expect((await readLog(resolvePaths(machine.env))).damaged).toBe(damaged)
    },
  )

  test.runIf(canMount)(
    'a change is not sent if the disk is full, and is sent after disk space was freed',
    async () => {
      const server = await serve(() => reply(200, {}))
      await addProduction(server)
      const filler = '"$FACESCAN_STATE_DIR/filler"'
      const script = `head -c 1M /dev/zero > ${filler}; "$@"; echo $? >&2; "$@"; echo $? >&2; rm ${filler}; "$@" && "$1" "$2" history list`
      const child = startOnSmallDisk(script)
      const [stderr, end] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
      expect(stderr).toMatch(
        /error: cannot write the audit log in .* \(no space left on device\)\nhint: Check the free disk space .*\n13\n[\s\S]*\n13\n/,
      )
      expect(end, stderr).toEqual([0, null])
      expect(server.requests).toHaveLength(1)
    },
  )

  test('the audit log lists the change of a killed command as unknown', async () => {
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
    expect((await readLog(resolvePaths(machine.env))).damaged).toBe(0)
  })
})
