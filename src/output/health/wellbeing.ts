import { gauge, gaugeWidth } from '../draw/gauge.ts'
import { renderTable } from '../table.ts'
import { oneLine, paragraph } from '../text.ts'
import type { Column, DrawnView, Pen, RecordView } from '../view.ts'
import { formatNumber, numberOrNull } from './number.ts'

/** Wellbeing scores (spec 2.4). A score is a number, or an object with `score` and `assessment`. */
export type Wellbeing = Readonly<
  Partial<Record<'physical' | 'mental' | 'energy_sleep' | 'status_label', unknown>>
>

const dimensions = [
  ['physical', 'Physical'],
  ['mental', 'Mental'],
  ['energy_sleep', 'Energy & sleep'],
] as const

type Dimension = (typeof dimensions)[number][0]

interface Score {
  label: string
  score: number | null
  /** From the status label or the assessment of the service; empty if it returned neither. */
  status: string
}

/** The letters of a status label (spec 2.4). */
const meanings: Readonly<Record<string, string>> = {
  U: 'unknown',
  L: 'suboptimal',
  N: 'average',
  G: 'optimal',
}

/** The words of a label in the order of the dimensions; undefined for a label of any other form. */
function statusWords(label: unknown): string[] | undefined {
  if (typeof label !== 'string' || label.length !== dimensions.length) return undefined
  const words = [...label].map((letter) => meanings[letter]).filter((word) => word !== undefined)
  return words.length === dimensions.length ? words : undefined
}

/** `GLN: physical optimal, mental suboptimal, energy & sleep average`; an unknown label is returned unchanged. */
export function spellStatus(label: unknown): string {
  const words = statusWords(label)
  if (!words) return typeof label === 'string' ? label : ''
  return `${label}: ${dimensions.map(([, name], index) => `${name.toLowerCase()} ${words[index]}`).join(', ')}`
}

/** The average for the age and sex of the user (spec 2.4). */
const average = 50

function partsOf(value: unknown): { score?: unknown; assessment?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}

function scoreOf(value: Wellbeing, name: Dimension): number | null {
  return numberOrNull(value[name]) ?? numberOrNull(partsOf(value[name]).score)
}

function readScores(value: Wellbeing): Score[] {
  const words = statusWords(value.status_label)
  return dimensions.map(([name, label], index) => {
    const { assessment } = partsOf(value[name])
    const status = words?.[index] ?? (typeof assessment === 'string' ? assessment : '')
    return { label, score: scoreOf(value, name), status }
  })
}

/** The service returns a number for a score that it calls unknown. A bar would make it look like a result. */
function drawScore({ score, status }: Score, pen: Pen): string {
  if (score === null || status === 'unknown') return pen.dim('no data yet')
  return gauge(score, { width: gaugeWidth(pen), mark: average }, pen)
}

const scoreColumns: readonly Column<Score>[] = [
  { key: 'label', title: 'Wellbeing', whole: true },
  { key: 'bar', title: '', whole: true, only: 'pictures', cell: drawScore },
  {
    key: 'score',
    title: 'Score',
    align: 'right',
    cell: ({ score }) => (score === null ? '' : formatNumber(score)),
  },
  { key: 'status', title: 'Status', whole: true, cell: ({ status }) => status || ' ' },
]

async function drawWellbeing(value: Wellbeing, pen: Pen): Promise<string | undefined> {
  if (!pen.terminal) return undefined
  const table = await renderTable(readScores(value), scoreColumns, pen, { header: true, truncate: true })
  const status = oneLine(spellStatus(value.status_label))
  const mark = table.includes('┃') ? '┃ ' : ''
  const legend = `${mark}${average} is average for the user’s age and sex.`
  return `${table}\n${status === '' ? '' : `${paragraph(status, pen)}\n`}${pen.dim(paragraph(legend, pen))}\n`
}

const wellbeingRecord: RecordView<Wellbeing> = {
  kind: 'record',
  columns: [
    ...dimensions.map(([name, label]) => ({
      key: name,
      title: label,
      value: (value: Wellbeing) => scoreOf(value, name),
    })),
    { key: 'status_label', title: 'Status', cell: ({ status_label }) => spellStatus(status_label) },
  ],
}

/** A bar per dimension with the average marked, and the status label in words. */
export const wellbeingView: DrawnView<Wellbeing> = {
  kind: 'drawn',
  draw: drawWellbeing,
  data: wellbeingRecord,
}
