import { expect, test } from 'vitest'
import { createTerminal } from '../../src/output/colors.ts'
import type { ColorMode } from '../../src/output/settings.ts'
import { Collector, now, penFor } from './screen.ts'

function terminalFor(env: Record<string, string>, { terminal = true, color = 'auto' as ColorMode } = {}) {
  const stream = Object.assign(new Collector(), { isTTY: terminal, columns: terminal ? 100 : undefined })
  return createTerminal({ stream, env, color, clock: { now: () => now } })
}

test.each([
  [{}, 'a terminal', 'auto', 'colored'],
  [{}, 'a pipe', 'auto', 'not colored'],
  [{}, 'a pipe', 'always', 'colored'],
  [{}, 'a terminal', 'never', 'not colored'],
  [{ NO_COLOR: '1' }, 'a terminal', 'auto', 'not colored'],
  [{ NO_COLOR: '' }, 'a terminal', 'auto', 'colored'],
  [{ NO_COLOR: '1' }, 'a terminal', 'always', 'colored'],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, 'a terminal', 'auto', 'not colored'],
  [{ FORCE_COLOR: '1' }, 'a pipe', 'auto', 'colored'],
  [{ FORCE_COLOR: '0' }, 'a terminal', 'auto', 'not colored'],
  [{ CLICOLOR_FORCE: '1' }, 'a pipe', 'auto', 'colored'],
  [{ CLICOLOR_FORCE: '0' }, 'a pipe', 'auto', 'not colored'],
  [{ TERM: 'dumb' }, 'a terminal', 'auto', 'not colored'],
] as const)(
  'if the environment is %j, the output on %s with --color=%s is %s',
  async (env, device, color, look) => {
    const made = await terminalFor(env, { terminal: device === 'a terminal', color })
    expect(made.color).toBe(look === 'colored')
    expect(made.red('x') === 'x').toBe(look === 'not colored')
  },
)

test('the width of the output is COLUMNS if it is set, else the width of the terminal, else 80', async () => {
  expect((await terminalFor({ COLUMNS: '120' })).width).toBe(120)
  expect((await terminalFor({ COLUMNS: 'many' })).width).toBe(100)
  expect((await terminalFor({}, { terminal: false })).width).toBe(80)
})

test.each([
  [{}, 'a terminal', 'drawings'],
  [{}, 'a pipe', 'no drawings'],
  [{ ACCESSIBLE: '1' }, 'a terminal', 'no drawings'],
  [{ ACCESSIBLE: '0' }, 'a terminal', 'drawings'],
  [{ TERM: 'dumb' }, 'a terminal', 'no drawings'],
] as const)('if the environment is %j, the output on %s contains %s', async (env, device, content) => {
  expect((await terminalFor(env, { terminal: device === 'a terminal' })).pictures).toBe(
    content === 'drawings',
  )
})

test('a style function ignores additional arguments', async () => {
  const terminal = await penFor({ width: 80, color: true })
  expect(['a', 'b'].map(terminal.bold)).toEqual(['\u001b[1ma\u001b[22m', '\u001b[1mb\u001b[22m'])
})
