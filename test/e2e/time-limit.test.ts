import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { hang, reply, serve } from '../helpers/hostile-server.ts'

const get = 'users get --external-user-id 4711'

/** Starts the program with a key and with standard input that never ends. */
function start(url: string, words: readonly string[], env = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [resolve('bin/facescan.js'), ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: temporaryFolder(),
      FACESCAN_API_KEY: 'k'.repeat(40),
      FACESCAN_BASE_URL: url,
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function openFiles({ pid }: ChildProcessWithoutNullStreams): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      // The program closed the file after the directory of links was read, so the link to this file no longer exists.
      return ''
    }
  })
}

/** Whether the program has a handler for Ctrl-C. Otherwise, Ctrl-C ends it immediately. */
function handlesInterrupt({ pid }: ChildProcessWithoutNullStreams): boolean {
  const [, caught = ''] = /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGINT - 1))) !== 0n
}

/** Waits until a condition is true. On systems without /proc, waits for one second. */
async function waitUntil(isReady: () => boolean): Promise<void> {
  if (process.platform === 'linux') while (!isReady()) await sleep(20)
  else await sleep(1_000)
}

/** Sends SIGINT repeatedly until the program ends. */
async function stop(child: ChildProcessWithoutNullStreams): Promise<unknown[]> {
  const ended = once(child, 'close')
  const again = setInterval(() => child.kill('SIGINT'), 250)
  child.kill('SIGINT')
  return ended.finally(() => clearInterval(again))
}

test.each([
  [`${get} --max-time 500ms`, '--max-time'],
  [`${get} --timeout 100ms --retries 0`, 'Increase --timeout'],
  ['api POST /v2/users --body - --max-time 500ms', '--max-time'],
  [`${get} --key-stdin --max-time 500ms`, '--max-time'],
  ['answers import - --max-time 500ms', '--max-time'],
])('"%s" exits with code 9 at its time limit, and its hint names the flag', async (line, hint) => {
  const server = await serve(({ target }) => (target.includes('questions') ? reply(200, []) : hang()))
  const child = start(server.url, line.split(' '))
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  expect(await once(child, 'close')).toEqual([9, null])
  expect(said).toContain(hint)
})

test('Ctrl-C stops a command whose jq filter runs endlessly', async () => {
  const server = await serve(() => reply(200, {}))
  const child = start(server.url, ['api', 'GET', '/v2/users', '--debug', '--jq', 'def f: f; f'])
  for await (const text of child.stderr) if (`${text}`.includes('← 200')) break
  await waitUntil(() => !handlesInterrupt(child))
  expect(await stop(child)).toEqual([null, 'SIGINT'])
})

test('--max-time stops a command whose jq filter runs endlessly', async () => {
  const server = await serve(() => reply(200, {}))
  const child = start(server.url, ['api', 'GET', '/v2/users', '--max-time', '2s', '--jq', 'def f: f; f'])
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  expect(await once(child, 'close')).toEqual([9, null])
  expect(said).toContain('--max-time')
})

test('a jq filter that finishes before --max-time prints its result', async () => {
  const server = await serve(() => reply(200, { name: 'Ada' }))
  const child = start(server.url, ['api', 'GET', '/v2/users', '--max-time', '1m', '--jq', '.name'])
  const [[text], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'close')])
  expect([`${text}`, code]).toEqual(['Ada\n', 0])
})

test.runIf(process.platform === 'linux')(
  'a command whose --key-file is a device without data exits at Ctrl-C',
  async () => {
    const server = await serve(() => reply(200, []))
    // /dev/ptmx is a terminal without input, so the command waits.
    const child = start(server.url, [...get.split(' '), '--key-file', '/dev/ptmx'])
    await waitUntil(() => openFiles(child).includes('/dev/ptmx'))
    await sleep(500)
    // If the program is reading, the signal ends it (null). If the program is not reading yet, it exits with 130. A shell shows 130 in each
    // case.
    expect([null, 130]).toContain((await stop(child))[0])
  },
)

describe.skipIf(process.platform === 'win32')('a named pipe without a writer', () => {
  const makePipe = () => {
    const pipe = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    return pipe
  }

  test.each([
    `${get} --key-file`,
    'status --key-file',
    'doctor --key-file',
    'profiles add ACME --key-file',
    'wellbeing --action-token',
    'api POST /v2/users --body',
    'answers import',
  ])('Ctrl-C or --max-time stops "%s" while it reads a named pipe without a writer', async (line) => {
    const server = await serve(() => reply(200, []))
    const pipe = makePipe()
    const words = [...line.split(' '), pipe]
    const stopped = start(server.url, words)
    const late = start(server.url, [...words, '--max-time', '1s'])
    const ends = Promise.all([once(stopped, 'close'), once(late, 'close')])
    await waitUntil(() => openFiles(stopped).includes(pipe))
    stopped.kill('SIGINT')
    expect(await ends).toEqual([
      [130, null],
      [9, null],
    ])
    expect(server.requests.filter(({ target }) => !target.includes('questions'))).toEqual([])
  })

  test('--key-file with a named pipe reads the key that another program writes', async () => {
    const server = await serve(() => reply(200, { user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b' }))
    const pipe = makePipe()
    const child = start(server.url, [...get.split(' '), '--key-file', pipe])
    await writeFile(pipe, `${'p'.repeat(40)}\n`)
    expect(await once(child, 'close')).toEqual([0, null])
    expect(server.requests[0]?.headers['x-api-key']).toBe('p'.repeat(40))
  })
})
