import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { constants, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { orUndefined } from '../../src/base/functions.ts'
import { openInput } from '../../src/bulk/open-input.ts'
import { temporaryFolder } from '../helpers/folder.ts'

function namedPipe(): string {
  const path = join(temporaryFolder(), 'answers.csv')
  execFileSync('mkfifo', [path])
  return path
}

const nothing = Readable.from([])

test('an import reads a named pipe to its end even if the writer pauses', async () => {
  const path = namedPipe()
  const opening = openInput(path, nothing)
  const writer = await open(path, 'w')
  await writer.write('external_user_id,lookup_key,value\n')
  await new Promise((go) => setTimeout(go, 50))
  await writer.write('a,height,1\n')
  await writer.close()
  const input = await opening
  expect(input.end).toBe(45)
  input.close()
})

test.skipIf(process.platform !== 'linux').each(['/dev/zero', '/dev/null', '/dev/full'])(
  'an import refuses the device %s',
  async (path) => {
    await expect(openInput(path, nothing)).rejects.toThrow(`${path} is a device`)
  },
)

test.skipIf(process.platform !== 'linux')(
  'Ctrl-C ends an import from a named pipe without a writer',
  async () => {
    const path = namedPipe()
    const child = spawn(process.execPath, [resolve('bin/facescan.js'), 'answers', 'import', path], {
      stdio: 'ignore',
      env: { HOME: dirname(path), FACESCAN_API_KEY: 'k'.repeat(40) },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const folder = `/proc/${child.pid}/fd`
    const targets = () => readdirSync(folder).map((fd) => orUndefined(() => readlinkSync(join(folder, fd))))
    await expect.poll(targets).toContain(path)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
  },
)

test('an import fails and closes its named pipe if the temporary directory does not exist', async () => {
  const path = namedPipe()
  vi.stubEnv('TMPDIR', join(dirname(path), 'nowhere'))
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(openInput(path, nothing)).rejects.toMatchObject({ code: 'configuration' })
  // Nothing reads the pipe, so opening it for writing fails.
  const writing = open(path, constants.O_WRONLY | constants.O_NONBLOCK)
  await expect(writing).rejects.toMatchObject({ code: 'ENXIO' })
})

test('if a command is stopped, reading standard input fails with the reason for the stop', async () => {
  const stop = new AbortController()
  const opening = openInput('-', new PassThrough(), { signal: stop.signal })
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(opening).rejects.toBe(reason)
})

test('an import refuses a path to a socket', async () => {
  const path = join(temporaryFolder(), 'answers.csv')
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  await expect(openInput(path, nothing)).rejects.toMatchObject({
    code: 'usage',
    message: `cannot read ${path} (no such device or address)`,
  })
})

test.runIf(process.platform === 'linux')(
  'an import refuses a file that cannot be read, and states the reason',
  async () => {
    // Nothing is mapped at the start of this file, so a read fails as on a broken disk.
    await expect(openInput('/proc/self/mem', nothing)).rejects.toMatchObject({
      code: 'usage',
      message: 'cannot read mem (i/o error)',
    })
  },
)
