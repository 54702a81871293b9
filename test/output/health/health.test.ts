import { expect, test } from 'vitest'
import { biomarkerFacts, zoneOf } from '../../../src/contract/biomarkers.ts'
import { biomarkerChartView } from '../../../src/output/health/charts.ts'
import { metricsView, readMetrics } from '../../../src/output/health/metrics.ts'
import { formatChange, latestView } from '../../../src/output/health/scans.ts'
import { spellStatus, type Wellbeing, wellbeingView } from '../../../src/output/health/wellbeing.ts'
import { remarkOn } from '../../../src/output/people.ts'
import { penFor, show } from '../screen.ts'
import { metrics, scans, wellbeing } from './scans.ts'

test('a status label is printed with one description per letter, in the order of the letters', () => {
  expect(spellStatus('GLN')).toBe('GLN: physical optimal, mental suboptimal, energy & sleep average')
  expect(spellStatus('UUU')).toBe('UUU: physical unknown, mental unknown, energy & sleep unknown')
})

test.each(['', 'GL', 'GLNN', 'GLX', 'gln'])('the unknown status label "%s" is printed unchanged', (label) => {
  expect(spellStatus(label)).toBe(label)
})

test('a change in a value is printed as an arrow and a number, or in words if ACCESSIBLE is set', async () => {
  const drawn = await penFor({ width: 80 })
  const words = await penFor({ width: 80, env: { ACCESSIBLE: '1' } })
  expect(formatChange(70, 66.5, drawn)).toBe('▲ 3.5')
  expect(formatChange(0.1 + 0.2, 0.3, drawn)).toBe('=')
  expect(formatChange(60, 66.5, words)).toBe('down 6.5')
  expect(formatChange(60, 60, words)).toBe('unchanged')
  expect(formatChange(60, undefined, drawn)).toBe('')
})

test('facescan defines reference zones for blood pressure and heart rate variability, but not for heart rate', () => {
  expect(zoneOf(biomarkerFacts.heart_rate, 190)).toBeUndefined()
  expect(zoneOf(biomarkerFacts.systolic_blood_pressure, 129)).toBeUndefined()
  expect(zoneOf(biomarkerFacts.systolic_blood_pressure, 130)).toBe('elevated')
  expect(zoneOf(biomarkerFacts.systolic_blood_pressure, 140)).toBe('high')
  expect(zoneOf(biomarkerFacts.heart_rate_variability, 100)).toBe('above average')
})

test('invalid values in a scan are printed as dashes', async () => {
  const { out } = await show([{ heart_rate: 'fast', timestamp: 7 }], latestView, { width: 80 })
  expect(out).toMatch(/Heart rate +–/)
})

test('numbers that a service returns as text are shown and compared as numbers', async () => {
  const asText = scans.map((scan) =>
    Object.fromEntries(
      Object.entries(scan).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
    ),
  )
  const shown = await show(asText.slice(0, 1), latestView, { width: 80 })
  expect(shown.out).toBe((await show(scans.slice(0, 1), latestView, { width: 80 })).out)
  const text = { metrics: { sleep_quality: { score: '67.37', confidence: '1e2' } } }
  expect(readMetrics(text).find(({ metric }) => metric === 'sleep_quality')).toMatchObject({
    score: 67.37,
    confidence: null,
  })
})

test('if ACCESSIBLE is set, a chart of one scan is printed as a sentence that contains the date', async () => {
  const scan = { heart_rate: 60, timestamp: '2026-03-01T08:00:00Z' }
  const spoken = await show([scan], biomarkerChartView(['heart_rate']), {
    width: 80,
    env: { ACCESSIBLE: '1' },
  })
  expect(spoken.out).toBe('Heart rate in bpm, 1 scan: 60 on 1 Mar 2026\n')
})

test('the note on an empty result suggests the next command, or states that more face scans are needed', () => {
  const next = { command: (words: string) => `facescan ${words} 4711`, isSandbox: true }
  expect(remarkOn([], latestView, next)).toContain('facescan scan-url 4711')
  expect(remarkOn([], biomarkerChartView([]), next)).toContain('facescan scan-url 4711')
  expect(remarkOn(undefined, metricsView, next)).toMatch(/enough face scans/)
  expect(remarkOn(scans, latestView, next)).toBeUndefined()
})

test('a list of scans in a pipe has one row per scan', async () => {
  const { out } = await show(scans, latestView)
  expect(out.split('\n')).toHaveLength(12)
  expect(out.split('\n')[1]).toMatch(/^2026-02-05T10:00:00.000Z\t62\t12\t32\t50\t125\t80\t5151d12e/)
})

test('a chart is printed as a sentence if ACCESSIBLE is set', async () => {
  const sentence =
    'Heart rate in bpm, 10 scans: from 62 on 5 Feb 2026 to 59 on 4 Mar 2026, lowest 59, highest 75\n'
  expect((await show(scans, biomarkerChartView(['heart_rate']))).out).toBe(sentence)
  const { out } = await show(scans, biomarkerChartView(['heart_rate']), {
    width: 200,
    env: { ACCESSIBLE: '1' },
  })
  expect(out).toBe(sentence)
})

test('a chart without values is printed as a sentence', async () => {
  const { out } = await show([{ timestamp: scans[0]!.timestamp }], biomarkerChartView(['heart_rate']), {
    width: 80,
  })
  expect(out).toBe('Heart rate: no values\n')
})

test('an unknown metric is printed with its name', async () => {
  const value = { ...metrics, metrics: { hydration: { score: 5, confidence: 6 } } }
  expect((await show(value, metricsView, { width: 80 })).out).toMatch(/hydration +[━╸].* 5 +6/)
})

test('metrics are printed as one row per metric in CSV, and as the response of the service in JSON', async () => {
  const csv = await show(metrics, metricsView, { settings: { format: 'csv' } })
  expect(csv.out).toMatch(/^metric,score,confidence\r\nenergy_balance,82,91\r\ngeneral_fitness,,\r\n/)
  const json = await show(metrics, metricsView, { settings: { format: 'json' } })
  expect(JSON.parse(json.out)).toEqual(metrics)
})

test('metrics have the same names in NDJSON and in CSV', async () => {
  const csv = await show(metrics, metricsView, { settings: { format: 'csv' } })
  const ndjson = await show(metrics, metricsView, { settings: { format: 'ndjson' } })
  const [first, second] = ndjson.out.split('\n').map((line) => JSON.parse(line || 'null'))
  expect(Object.keys(first).join(',')).toBe(csv.out.split('\r\n')[0])
  expect(second).toEqual({ metric: 'general_fitness', score: null, confidence: null })
})

test('reference zones and directions are printed only with --reference, with a note about their source', async () => {
  const screen = { width: 80, reference: false }
  const plain = await Promise.all([
    show(scans.slice(0, 1), latestView, screen),
    show(scans, biomarkerChartView([]), screen),
    show(metrics, metricsView, screen),
  ])
  const text = plain.map(({ out }) => out).join('')
  const direction = /The service does not define whether\s+a\s+higher\s+score\s+is\s+better\./
  expect(text).toMatch(direction)
  expect(text.replace(direction, '')).not.toMatch(/Zone|average|at rest|elevated|high\b|better|reference/)
  expect(text).toMatch(/Systolic pressure +125 mmHg/)
  const withReference = await Promise.all([
    show(scans.slice(0, 1), latestView, { width: 80 }),
    show(scans, biomarkerChartView([]), { width: 80 }),
    show(metrics, metricsView, { width: 80 }),
  ])
  for (const { out } of withReference)
    expect(out).toMatch(
      /(by this tool, not by the service|This tool, not the service, defines).*\. Not medical advice\./,
    )
})

test('wellbeing scores can be numbers or objects, and their descriptions come from the service', async () => {
  const value = { physical: { score: 61, assessment: 'good' }, mental: null, energy_sleep: 50 }
  const { out } = await show(value, wellbeingView, { width: 80 })
  expect(out).toMatch(/Physical +61 \(good\)\n/)
  expect(out).toMatch(/Mental +–/)
  expect(out).not.toMatch(/optimal|average\n/)
  expect((await show(value, wellbeingView, { settings: { format: 'csv' } })).out).toContain('61,,50,')
})

test('the wellbeing scores of several users are aligned at their decimal points', async () => {
  const list = { rows: (rows: Wellbeing[]) => rows, columns: wellbeingView.columns, empty: '' }
  const rows = [45.48, 9, 33.9].map((score) => ({ physical: score, mental: score, energy_sleep: score }))
  const { out } = await show(rows, list, { width: 120 })
  expect(out.split('\n').slice(2, 5)).toEqual([
    '   45.48   45.48           45.48  –',
    '    9       9               9     –',
    '   33.9    33.9            33.9   –',
  ])
})

test('wellbeing scores that are printed to a pipe include the description of the status label', async () => {
  expect((await show(wellbeing, wellbeingView)).out).toBe(
    'Physical\tMental\tEnergy & sleep\tStatus\n' +
      '61\t38.25\t50\tGLN: physical optimal, mental suboptimal, energy & sleep average\n',
  )
})
