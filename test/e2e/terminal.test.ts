import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { needs } from '../helpers/needs.ts'
import { showOn } from '../output/terminal.ts'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'facescan-terminal-'))
afterAll(() => rmSync(home, { recursive: true }))

const program = `${process.execPath} ${join(import.meta.dirname, '../../bin/facescan.js')}`
const env = {
  PATH: process.env['PATH'],
  HOME: home,
  TERM: 'xterm-256color',
  TZ: 'UTC',
  FACESCAN_PROFILE: 'SANDBOX-DEV',
}
const user = '--external-user-id 4711'

/** The program `script` from util-linux. Other systems have a `script` with other flags. */
const recorder = needs('script')

function inShell(line: string): Promise<{ stdout: string; stderr: string }> {
  return run('sh', ['-c', line], { env })
}

/** Output of the built program on a terminal with this number of columns. */
async function inTerminal(line: string, columns: number, settings = ''): Promise<string> {
  const command = `stty cols ${columns} rows 40; ${settings} ${program} ${line}`
  const { stdout } = await run(recorder.path.script, ['--quiet', '--command', command, '/dev/null'], { env })
  return stdout
}

beforeAll(async () => {
  await inShell(`${program} users create ${user} --sex F`)
  await inShell(`${program} sandbox scan ${user} --count 12 --days 40 --seed 7`)
})

const lines = [
  `users get ${user}`,
  `biomarkers list ${user}`,
  `biomarkers list ${user} --chart=heart_rate`,
  `metrics ${user}`,
  `wellbeing ${user}`,
  `recommendations ${user}`,
]

describe.skipIf(recorder.missing || process.platform !== 'linux')('output in a pseudo-terminal', () => {
  test.each([60, 80, 120, 200])(
    'no line of the output is wider than a terminal with %i columns',
    async (columns) => {
      for (const line of lines) {
        const screen = await showOn(await inTerminal(line, columns), columns)
        expect({ line, wrapped: screen.wrapped }).toEqual({ line, wrapped: false })
        expect(screen.lines.length).toBeGreaterThan(3)
      }
    },
  )

  test('output on a terminal has color, and NO_COLOR removes all escape sequences', async () => {
    expect(await inTerminal(lines[1]!, 80)).toContain('\u001b[')
    expect(await inTerminal(lines[1]!, 80, 'NO_COLOR=1')).not.toContain('\u001b')
  })

  test('an ID is not truncated on a narrow terminal', async () => {
    const { stdout } = await inShell(`${program} biomarkers latest ${user} --jq '.[].face_scan_id'`)
    const screen = await showOn(await inTerminal(`biomarkers latest ${user}`, 60), 60)
    expect(screen.lines.join('\n')).toContain(stdout.trim())
  })

  test('an error on a terminal is one line, followed by its hint', async () => {
    const text = await inTerminal('users get --external-user-id nobody || true', 80, 'NO_COLOR=1')
    expect(text.replaceAll('\r', '')).toMatch(/^✗ user "nobody" not found in SANDBOX-DEV \(404\)\n→ /)
  })
})

test('a command exits without a message if its output pipe is closed', async () => {
  const listed = await inShell(
    `(${program} biomarkers list ${user} --all --order desc -o json; echo "exit $?" >&2) | head -c 1`,
  )
  expect(listed).toEqual({ stdout: '[', stderr: 'exit 0\n' })
})

test('the demo exits and deletes its sandbox if its output pipe is closed', async () => {
  const scratch = temporaryFolder()
  const toured = await inShell(`(TMPDIR=${scratch} ${program} demo; echo "exit $?" >&2) | head -c 1`)
  expect(toured).toEqual({ stdout: 'A', stderr: 'exit 0\n' })
  expect(readdirSync(scratch)).toEqual([])
})

test.each([`biomarkers list ${user} -o json`, '--version', 'demo'])(
  'a command on a full disk reports an error instead of a success: %s',
  async (line) => {
    const failure = inShell(`${program} ${line} > /dev/full`)
    await expect(failure).rejects.toMatchObject({
      code: 13,
      stderr: expect.stringMatching(/no space left.*\n(→ |hint: |$)/),
    })
  },
)

test('if the result of a successful change cannot be written, the error states that the change was made', async () => {
  const failure = inShell(`${program} users create 4712 -p SANDBOX-DEV --json > /dev/full`)
  await expect(failure).rejects.toMatchObject({
    code: 13,
    stderr: expect.stringContaining('the change was made, but its result could not be printed'),
  })
})

test.each([
  ['--version', 13],
  ['users get nobody', 4],
])('the exit code does not change if stdout and stderr cannot be written: %s', async (line, exitCode) => {
  await expect(inShell(`${program} ${line} > /dev/full 2>&1`)).rejects.toMatchObject({ code: exitCode })
})

test('if FORCE_COLOR is set, a table in a pipe is in color, but JSON is not', async () => {
  const [table, json] = await Promise.all(
    ['', '--json'].map((flag) => inShell(`FORCE_COLOR=1 ${program} doctor ${flag}`)),
  )
  expect(table?.stdout).toContain('\x1b[')
  expect(json?.stdout).not.toContain('\x1b[')
})

test.each([
  ['users get', 2],
  ['users get --external-user-id nobody --debug', 4],
  [`widgets metric ${user} sleep_quality --quiet`, 0],
])('the exit code does not change if stderr cannot be written: %s', async (line, exitCode) => {
  const { stdout } = await inShell(`${program} ${line} 2> /dev/full > /dev/null; echo $?`)
  expect(stdout).toBe(`${exitCode}\n`)
})
