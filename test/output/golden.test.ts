import { describe, expect, test } from 'vitest'
import { biomarkerChartView, biomarkersView } from '../../src/output/health/biomarkers.ts'
import { metricsView, wellbeingView } from '../../src/output/health/scores.ts'
import type { View } from '../../src/output/view.ts'
import { metrics, scans, wellbeing } from './health/scans.ts'
import { people, peopleView, personView } from './people.ts'
import { show } from './screen.ts'
import { showOn } from './terminal.ts'

const ids = people.map((person) => person.user_id)

const pages: [title: string, value: unknown, view: View<never>][] = [
  ['a list', people, peopleView as View<never>],
  ['a record', people[0], personView as View<never>],
  ['biomarkers', scans, biomarkersView as View<never>],
  ['the first scan', scans.slice(0, 1), biomarkersView as View<never>],
  ['a chart', scans, biomarkerChartView('heart_rate_variability') as View<never>],
  ['all charts', scans, biomarkerChartView() as View<never>],
  ['metrics', metrics, metricsView as View<never>],
  ['wellbeing', wellbeing, wellbeingView as View<never>],
]

async function render(screen: { width?: number; color: boolean }): Promise<string> {
  const parts: string[] = []
  for (const [title, value, view] of pages) {
    parts.push(`# ${title}\n\n${(await show(value as never, view, screen)).out}`)
  }
  return parts.join('\n')
}

describe.each([60, 80, 120, 200])('on a terminal of %i columns', (width) => {
  test.each([
    ['without colour', false, 'txt'],
    ['with colour', true, 'ansi'],
  ])('the pages %s are the approved ones', async (_, color, ending) => {
    await expect(await render({ width, color })).toMatchFileSnapshot(`golden/${width}.${ending}`)
  })

  test('nothing wraps and no id is cut', async () => {
    const screen = await showOn(await render({ width, color: true }), width)
    expect(screen.wrapped).toBe(false)
    for (const id of ids) expect(screen.lines.join('\n')).toContain(id)
  })
})

test('the pages of a pipe are the approved ones', async () => {
  await expect(await render({ color: false })).toMatchFileSnapshot('golden/pipe.txt')
})
