import { expect, test } from 'vitest'
import { createTerminal } from '../../src/output/colors.ts'
import type { ColorMode } from '../../src/output/settings.ts'
import { Collector, now, penFor } from './screen.ts'

function terminalFor(env: Record<string, string>, { terminal = true, color = 'auto' as ColorMode } = {}) {
  const stream = Object.assign(new Collector(), { isTTY: terminal, columns: terminal ? 100 : undefined })
  return createTerminal({ stream, env, color, clock: { now: () => now } })
}

test.each([
  [{}, true, 'auto', true],
  [{}, false, 'auto', false],
  [{}, false, 'always', true],
  [{}, true, 'never', false],
  [{ NO_COLOR: '1' }, true, 'auto', false],
  [{ NO_COLOR: '' }, true, 'auto', true],
  [{ NO_COLOR: '1' }, true, 'always', true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 'auto', false],
  [{ FORCE_COLOR: '1' }, false, 'auto', true],
  [{ FORCE_COLOR: '0' }, true, 'auto', false],
  [{ CLICOLOR_FORCE: '1' }, false, 'auto', true],
  [{ CLICOLOR_FORCE: '0' }, false, 'auto', false],
  [{ TERM: 'dumb' }, true, 'auto', false],
] as const)(
  'for the environment %j, a terminal (%s), and --color=%s, the output is colored: %s',
  async (env, terminal, color, expected) => {
    const made = await terminalFor(env, { terminal, color })
    expect(made.color).toBe(expected)
    expect(made.red('x') === 'x').toBe(!expected)
  },
)

test('the width of the output is COLUMNS, otherwise the width of the terminal, otherwise 80', async () => {
  expect((await terminalFor({ COLUMNS: '120' })).width).toBe(120)
  expect((await terminalFor({ COLUMNS: 'many' })).width).toBe(100)
  expect((await terminalFor({}, { terminal: false })).width).toBe(80)
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ ACCESSIBLE: '1' }, true, false],
  [{ ACCESSIBLE: '0' }, true, true],
  [{ TERM: 'dumb' }, true, false],
] as const)(
  'for the environment %j and a terminal (%s), the output contains drawings: %s',
  async (env, terminal, expected) => {
    expect((await terminalFor(env, { terminal })).pictures).toBe(expected)
  },
)

test('a style function ignores additional arguments, so it can be passed to map', async () => {
  const terminal = await penFor({ width: 80, color: true })
  expect(['a', 'b'].map(terminal.bold)).toEqual(['\u001b[1ma\u001b[22m', '\u001b[1mb\u001b[22m'])
})
