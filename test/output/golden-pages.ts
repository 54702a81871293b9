import type { Io } from '../../src/base/io.ts'
import { biomarkerChartView } from '../../src/output/health/charts.ts'
import { metricsView } from '../../src/output/health/metrics.ts'
import { latestView, scansView } from '../../src/output/health/scans.ts'
import { wellbeingView } from '../../src/output/health/wellbeing.ts'
import { print } from '../../src/output/print.ts'
import type { AnyView, Terminal } from '../../src/output/view.ts'
import { write } from '../../src/output/write.ts'
import { metrics, scans, wellbeing } from './health/scans.ts'
import { people, peopleView, personView } from './people.ts'
import { plainSettings } from './screen.ts'

const pages: [title: string, value: unknown, view: AnyView<never>][] = [
  ['a list', people, peopleView as AnyView<never>],
  ['a record', people[0], personView as AnyView<never>],
  ['scans', scans, scansView as AnyView<never>],
  ['biomarkers', scans, latestView as AnyView<never>],
  ['the first scan', scans.slice(0, 1), latestView as AnyView<never>],
  ['a chart', scans, biomarkerChartView(['heart_rate_variability']) as AnyView<never>],
  ['all charts', scans, biomarkerChartView([]) as AnyView<never>],
  ['metrics', metrics, metricsView as AnyView<never>],
  ['wellbeing', wellbeing, wellbeingView as AnyView<never>],
]

/** Prints each kind of drawing below a heading. */
export async function printPages(io: Io, terminal: Terminal): Promise<void> {
  for (const [index, [title, value, view]] of pages.entries()) {
    await write(io.stdout, `${index === 0 ? '' : '\n'}# ${title}\n\n`)
    await print(value as never, view, plainSettings, { io, terminal: terminal })
  }
}
