import { type MetricName, metricLabels, metricNames } from '../../contract/values.ts'
import { gauge } from '../draw/gauge.ts'
import { renderTable } from '../table.ts'
import { pad, paragraph } from '../text.ts'
import { epochMsOf, formatRelative } from '../time.ts'
import type { Column, DrawnView, ListView, Pen, RecordView } from '../view.ts'
import { formatNumber, numberOrUndefined } from './number.ts'
import { spellStatus, statusWords } from './status.ts'

type Fields = Readonly<Record<string, unknown>>

/** Health metrics (specification, section 2.3a); undefined where the service had no content. */
export type HealthMetrics = Readonly<{ metrics: Fields; last_update?: unknown }> | undefined

/** Wellbeing scores (specification, section 2.4), each a number or an object that holds one. */
export type Wellbeing = Readonly<
  Partial<Record<'physical' | 'mental' | 'energy_sleep' | 'status_label', unknown>>
>

interface Score {
  name: string
  label: string
  score: number | undefined
  confidence: number | undefined
  /** What the service calls the score. */
  words: string
}

const average = 50

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function scoreCell(mark?: number) {
  return ({ score }: Score, pen: Pen): string => {
    if (score === undefined) return pen.dim('no data yet')
    const number = formatNumber(score)
    if (!pen.pictures) return number
    const width = Math.max(10, Math.min(30, pen.width - 50))
    return `${gauge(score, mark === undefined ? { width } : { width, mark }, pen)}  ${pad(number, 5, 'right')}`
  }
}

function confidenceText({ score, confidence }: Score): string {
  if (confidence === undefined) return score === undefined ? ' ' : ''
  return `${formatNumber(confidence)} %`
}

function renderScores(scores: readonly Score[], columns: readonly Column<Score>[], pen: Pen): string {
  return renderTable(scores, columns, pen, { header: true, truncate: false })
}

function metricScores(value: HealthMetrics): Score[] {
  const known: readonly string[] = metricNames
  const names = [...known, ...Object.keys(value?.metrics ?? {}).filter((name) => !known.includes(name))]
  return names.map((name) => {
    const { score, confidence } = fieldsOf(value?.metrics[name])
    const label = metricLabels[name as MetricName] ?? name
    return {
      name,
      label,
      score: numberOrUndefined(score),
      confidence: numberOrUndefined(confidence),
      words: '',
    }
  })
}

const metricList: ListView<HealthMetrics, Score> = {
  kind: 'list',
  rows: (value) => (value ? metricScores(value) : []),
  columns: [
    { key: 'metric', title: 'Metric', value: ({ name }) => name },
    { key: 'score', title: 'Score', align: 'right' },
    { key: 'confidence', title: 'Confidence %', align: 'right' },
  ],
  empty: 'no metrics yet: they appear once the user has enough face scans',
}

function drawMetrics(value: HealthMetrics, pen: Pen): string | undefined {
  if (!pen.terminal || !value) return undefined
  const table = renderScores(
    metricScores(value),
    [
      { key: 'label', title: 'Metric', whole: true },
      { key: 'score', title: 'Score', whole: true, cell: scoreCell() },
      { key: 'confidence', title: 'Confidence', align: 'right', cell: confidenceText },
    ],
    pen,
  )
  const updatedAt = epochMsOf(value.last_update)
  const updated = updatedAt === undefined ? '' : ` Updated ${formatRelative(updatedAt, pen.now)}.`
  return `${table}\n${pen.dim(paragraph(`0 to 100, higher is better for every metric.${updated}`, pen))}\n`
}

/** A gauge for each health metric, or one row a metric for machines. */
export const metricsView: DrawnView<HealthMetrics> = { kind: 'drawn', draw: drawMetrics, data: metricList }

const dimensions = [
  ['physical', 'Physical'],
  ['mental', 'Mental'],
  ['energy_sleep', 'Energy & sleep'],
] as const

type Dimension = (typeof dimensions)[number][0]

function dimensionScore(value: Wellbeing, name: Dimension): number | undefined {
  return numberOrUndefined(value[name]) ?? numberOrUndefined(fieldsOf(value[name])['score'])
}

function wellbeingScores(value: Wellbeing): Score[] {
  const words = statusWords(value.status_label)
  return dimensions.map(([name, label], index) => {
    const assessment = fieldsOf(value[name])['assessment']
    const said = words?.[index] ?? (typeof assessment === 'string' ? assessment : ' ')
    return { name, label, score: dimensionScore(value, name), confidence: undefined, words: said }
  })
}

const wellbeingRecord: RecordView<Wellbeing> = {
  kind: 'record',
  columns: [
    ...dimensions.map(([name, label]) => ({
      key: name,
      title: label,
      value: (value: Wellbeing) => dimensionScore(value, name),
    })),
    { key: 'status_label', title: 'Status', cell: ({ status_label }) => spellStatus(status_label) },
  ],
}

function drawWellbeing(value: Wellbeing, pen: Pen): string | undefined {
  if (!pen.terminal) return undefined
  const table = renderScores(
    wellbeingScores(value),
    [
      { key: 'label', title: 'Wellbeing', whole: true },
      { key: 'score', title: 'Score', whole: true, cell: scoreCell(average) },
      { key: 'words', title: 'Status', whole: true },
    ],
    pen,
  )
  const status = spellStatus(value.status_label)
  const legend = `${pen.pictures ? '┃ ' : ''}50 is average for the user’s age and sex.`
  return `${table}\n${status === '' ? '' : `${paragraph(status, pen)}\n`}${pen.dim(paragraph(legend, pen))}\n`
}

/** A gauge for each dimension with the average marked, and the status label in words. */
export const wellbeingView: DrawnView<Wellbeing> = {
  kind: 'drawn',
  draw: drawWellbeing,
  data: wellbeingRecord,
}
