import { biomarkerFacts, biomarkerNames, metricLabels, metricNames } from '../../contract/biomarkers.ts'
import type { TableSettings } from '../settings.ts'
import { renderRecord, renderTable } from '../table.ts'
import { breakCommand, oneLine } from '../text.ts'
import { epochMsOf, formatRelative } from '../time.ts'
import type { Column, RecordView, Terminal } from '../view.ts'
import { readMetrics } from './metrics.ts'
import {
  describeUser,
  linesOf,
  type MeasuredBiomarker,
  measure,
  missingKeys,
  type OverviewShown,
  type OverviewTexts,
  splitScans,
} from './overview-lines.ts'
import { formatChange } from './scans.ts'
import { readScore, wellbeingDimensions } from './wellbeing.ts'

const noTexts: OverviewTexts = { name: '', reasons: new Map(), next: '', recommendations: '' }

/** The overview: one screen of 80 by 24 on a terminal, and one row with the same values in other formats. */
export function overviewView(texts: OverviewTexts = noTexts): RecordView<OverviewShown> {
  return {
    columns: columnsOf(texts),
    reference: true,
    draw: (value, terminal, table) => drawOverview(value, texts, terminal, table),
  }
}

type Value = [key: string, read: (shown: OverviewShown) => unknown]

const userFields = ['user_id', 'birth_date', 'sex', 'language', 'customer']

function columnsOf({ externalUserId, next }: OverviewTexts): Column<OverviewShown>[] {
  const values: Value[] = [
    ['external_user_id', () => externalUserId],
    ...userFields.map((key): Value => [key, ({ user }) => user?.[key]]),
    ['scanned', (shown) => splitScans(shown).latest?.timestamp],
    ...biomarkerNames.flatMap((name, index): Value[] => [
      [name, (shown) => measure(shown)[index]?.latest],
      [`${name}_average`, (shown) => measure(shown)[index]?.average],
    ]),
    ...metricNames.map((name): Value => {
      return [name, ({ metrics }) => readMetrics(metrics).find(({ metric }) => metric === name)?.score]
    }),
    ...wellbeingDimensions.map(([key]): Value => [key, ({ wellbeing }) => readScore(wellbeing?.[key])]),
    ['missing_answers', (shown) => shown.answers && missingKeys(shown).join(' ')],
    ['recommendations', ({ recommendations }) => recommendations?.recommendations.length],
    ['last_change', ({ changes }) => changes?.[0]?.time],
    ['next', () => next],
  ]
  return values.map(([key, value]) => ({ key, title: key, value }))
}

async function drawOverview(
  value: OverviewShown,
  texts: OverviewTexts,
  terminal: Terminal,
  settings: TableSettings,
): Promise<string | undefined> {
  if (!terminal.isTTY) return undefined
  const parts = [describeUser(value, texts, terminal), await drawMeasures(value, terminal, settings)]
  const lines = linesOf(value, texts, terminal, settings.truncate).filter(({ text }) => text !== undefined)
  const width = terminal.width - Math.max(...lines.map(({ title }) => title.length)) - 2
  const columns = lines.map(({ title, text = '' }): Column<object> => {
    // A command is wrapped so that it stays valid when it is copied.
    const whole = /^(?:\d+: |… \| )*facescan /.test(text)
    const shown = whole ? breakCommand(oneLine(text), width).join('\n') : oneLine(text)
    return { key: title, title, whole, value: () => shown }
  })
  return [...parts.filter(Boolean), await renderRecord({}, columns, terminal)].join('\n')
}

/** The biomarkers of the last scan and the metrics, side by side. In a narrow terminal and for screen readers, the metrics come second. */
async function drawMeasures(
  value: OverviewShown,
  terminal: Terminal,
  settings: TableSettings,
): Promise<string> {
  const hasScan = (value.biomarkers?.length ?? 0) > 0
  const left = hasScan ? scanColumns(value, terminal) : []
  const right = value.metrics ? metricColumns(value, terminal) : []
  const rows = biomarkerNames.map((_, index) => index)
  if (left.length === 0 || right.length === 0 || (terminal.width >= 76 && terminal.pictures)) {
    const gap: Column<number>[] =
      left.length > 0 && right.length > 0 ? [{ key: 'gap', title: ' ', value: () => ' ' }] : []
    const all = [...left, ...gap, ...right]
    return all.length === 0 ? '' : renderTable(rows, all, terminal, settings)
  }
  return [
    await renderTable(rows, left, terminal, settings),
    await renderTable(rows, right, terminal, settings),
  ].join('\n')
}

function scanColumns(value: OverviewShown, terminal: Terminal): Column<number>[] {
  const measured = measure(value)
  const at = epochMsOf(splitScans(value).latest?.timestamp)
  const title = at === undefined ? 'Last scan' : `Scan ${formatRelative(at, terminal.now)}`
  const row = (index: number) => measured[index] as MeasuredBiomarker
  return [
    { key: 'biomarker', title, whole: true, value: (index) => biomarkerFacts[row(index).name].heading },
    { key: 'latest', title: 'Value', align: 'right', value: (index) => row(index).latest },
    {
      key: 'change',
      title: 'vs average',
      align: 'right',
      value: (index) => row(index).average,
      cell: (index) => formatChange(row(index).latest, row(index).average, terminal),
    },
  ]
}

function metricColumns({ metrics }: OverviewShown, { reference }: Terminal): Column<number>[] {
  const read = readMetrics(metrics)
  return [
    {
      key: 'metric',
      // Without this text, a high score for hypertension would look like a high risk.
      title: reference ? 'Metric (best: 100)' : 'Metric',
      whole: true,
      value: (index) => metricLabels[metricNames[index] ?? 'hypertension'],
    },
    { key: 'score', title: 'Score', align: 'right', value: (index) => read[index]?.score },
    { key: 'confidence', title: 'Confidence %', align: 'right', value: (index) => read[index]?.confidence },
  ]
}
