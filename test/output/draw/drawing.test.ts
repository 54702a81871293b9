import { expect, test } from 'vitest'
import { drawLineChart } from '../../../src/output/draw/line-chart.ts'
import { gauge, widthOf } from '../../../src/output/text.ts'
import fc from '../../helpers/fast-check.ts'
import { fuzzRuns, fuzzTimeoutMs } from '../fuzz-runs.ts'
import { penFor } from '../screen.ts'

const terminal = await penFor({ width: 80 })
const day = 86_400_000
const start = Date.UTC(2026, 1, 5, 12)

test.each([
  [0, '──────────'],
  [50, '━━━━━─────'],
  [55, '━━━━━╸────'],
  [100, '━━━━━━━━━━'],
  [140, '━━━━━━━━━━'],
  [-3, '──────────'],
])('a gauge for %d percent is drawn as %s', (percent, text) => {
  expect(gauge(percent, 10, terminal)).toBe(text)
})

test('a line chart draws each point at the height of its value, and shows the zones', () => {
  const points = [10, 20, 40].map((value, index) => ({ at: start + index * 10 * day, value }))
  const zones = [
    { name: 'low', to: 20 },
    { name: 'high', from: 20 },
  ]
  expect(drawLineChart({ curves: [points], zones, width: 40, height: 9 }, terminal)).toBe(
    [
      '40 ┤                             ╭●',
      '   │                         ╭───╯',
      '30 ┤                     ╭───╯      high',
      '   │                 ╭───╯',
      '20 ┤┄┄┄┄┄┄┄┄┄┄┄┄╭──●─╯┄┄┄┄┄┄┄┄┄┄┄┄┄',
      '   │    ╭───────╯                   low',
      '10 ┤●───╯',
      '   └┬─────────────────────────────┬',
      '    5 Feb                    25 Feb',
      '',
    ].join('\n'),
  )
})

test('a line chart draws two curves with different symbols and colors', async () => {
  const color = await penFor({ width: 80, color: true })
  const curves = [10, 30].map((low) =>
    [low, low + 5].map((value, index) => ({ at: start + index * day, value })),
  )
  const chart = drawLineChart({ curves, zones: [], width: 40, height: 9 }, color)
  expect(chart).toMatch(/\x1b\[33m○[─│╭╮╰╯○]*\x1b\[39m[\s\S]*\x1b\[36m●/)
})

test('a line chart connects scans that are close together in time', () => {
  const points = [
    { at: start, value: 10 },
    { at: start + 1, value: 40 },
    { at: start + 30 * day, value: 40 },
  ]
  const rows = drawLineChart({ curves: [points], zones: [], width: 40, height: 9 }, terminal)
    .split('\n')
    .slice(0, -3)
  expect(rows.map((row) => row[4]).join('')).toBe('●│││││●')
})

test('a chart of one value shows a point in the middle', () => {
  const chart = drawLineChart(
    { curves: [[{ at: start, value: 80 }]], zones: [], width: 30, height: 7 },
    terminal,
  )
  expect(chart.match(/●/g)).toHaveLength(1)
  expect(chart).toMatch(/^80 ┤ {13}●$/m)
  expect(chart).toContain('5 Feb 2026')
})

test(
  'a line chart fits the requested size for any values',
  () => {
    const point = fc.record({
      at: fc.integer({ min: 0, max: 4e12 }),
      value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 50, max: 200 }),
        fc.integer({ min: 7, max: 24 }),
        (unsorted, width, height) => {
          const points = unsorted.toSorted((a, b) => a.at - b.at)
          const lines = drawLineChart({ curves: [points], zones: [], width, height }, terminal).split('\n')
          expect(lines.length - 1).toBeLessThanOrEqual(height)
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
          expect(lines.join('')).toContain('●')
        },
      ),
      { numRuns: fuzzRuns },
    )
  },
  fuzzTimeoutMs,
)

test('a steep line in a chart is drawn without gaps', () => {
  const points = [10, 40].map((value, index) => ({ at: start + index * day, value }))
  const chart = drawLineChart({ curves: [points], zones: [], width: 16, height: 21 }, terminal)
  const rows = chart.split('\n').slice(0, -3)
  expect(rows.filter((line) => !/[●─│╭╮╰╯]/.test(line.slice(4)))).toEqual([])
})
