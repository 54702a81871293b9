import { readFileSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '../helpers/bundle.ts'
import { openPty } from '../helpers/pty.ts'
import { showOn } from '../output/terminal.ts'

/**
 * Prints the golden pages in the same way as the program prints its output. Does not exit, because a pseudo-terminal can lose the last
 * output of a process.
 */
const source = `
  import { createTerminal } from './src/output/colors.ts'
  import { printPages } from './test/output/golden-pages.ts'
  import { now } from './test/output/screen.ts'
  const terminal = await createTerminal({ stream: process.stdout, env: process.env, color: 'auto', clock: { now: () => now } })
  await printPages(process, { ...terminal, reference: true })
  process.stdout.write('# end')
  process.stdin.resume()
`
let program: string

beforeAll(async () => {
  program = await bundleProgram(source)
})

test.each([
  ['80.ansi', 80, {}],
  ['80.txt', 80, { NO_COLOR: '1' }],
  ['120.ansi', 120, {}],
])('a pseudo-terminal shows the same output as the golden file %s', async (name, columns, env) => {
  const approved = `${readFileSync(new URL(`../output/golden/${name}`, import.meta.url), 'utf8')}# end`
  const pty = openPty(process.execPath, [program], { columns, rows: 24, env: { TZ: 'UTC', ...env } })
  onTestFinished(() => pty.close())
  await pty.waitFor(/# end/)
  expect(pty.raw().replaceAll('\r\n', '\n')).toBe(approved)
  expect(pty.screen()).toEqual((await showOn(approved, columns)).lines)
})
