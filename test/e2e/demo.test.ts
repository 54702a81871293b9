import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { steps } from '../../src/commands/demo/steps.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { createMachine } from '../helpers/facescan.ts'
import { temporaryFolder } from '../helpers/folder.ts'

test('the tour shows every command before its output, on a sandbox that is gone afterwards', () => {
  const [home, scratch] = [temporaryFolder(), temporaryFolder()]
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/facescan.js', 'demo'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: scratch, FACESCAN_API_KEY: 'must-not-be-used' },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const positions = steps.flatMap(({ lines }) => lines).map((line) => stdout.indexOf(`$ ${line}\n`))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(positions).not.toContain(-1)
  // What is said about a link follows it.
  expect(stdout).not.toMatch(/\$ facescan (scan|dashboard)-url .*\n· /)
  expect(stdout).toContain('213 of 216 rows accepted, 3 rejected')
  expect(stdout).toMatch(/[ULNG]{3}: physical (unknown|suboptimal|average|optimal), mental/)
  expect(stdout).not.toContain('\x1b')
  expect(stdout).not.toContain('must-not-be-used')
  // Its sandbox ends with the tour, so that no other one opens its links.
  expect(stdout).not.toContain('facescan sandbox serve')
  // Compiled code is all that stays: it makes the next start faster.
  expect(readdirSync(home)).toEqual(['.cache'])
  expect(readdirSync(join(home, '.cache/facescan'))).toEqual(['code'])
  expect(readdirSync(scratch)).toEqual([])
})

test('a command of the tour that is wider than the terminal breaks between its flags', async () => {
  const options = { terminal: true, columns: 60, env: { NO_COLOR: '1' } }
  const { exitCode, stdout } = await createMachine().facescan('demo', options)
  expect(exitCode).toBe(0)
  expect(stdout).toContain(
    '$ facescan users create --external-user-id demo-001 \\\n    --sex F --birth-date 1984-02-29 --language nl\n',
  )
})

test('a tour that is stopped says so once', async () => {
  const interrupts = createInterrupts()
  interrupts.receive('SIGINT')
  const { exitCode, stdout, stderr } = await createMachine().facescan('demo', { interrupts })
  expect(exitCode).toBe(130)
  expect((stdout + stderr).match(/interrupted/g)).toEqual(['interrupted'])
})

test('a machine without a folder for temporary files is told so', () => {
  const home = temporaryFolder()
  const { status, stderr } = spawnSync(process.execPath, ['bin/facescan.js', 'demo'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: join(home, 'missing') },
  })
  expect(status).toBe(13)
  expect(stderr).toContain('TMPDIR')
})
