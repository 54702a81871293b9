import { fieldsOf } from '../../base/json.ts'
import { rounded } from '../cell.ts'
import { gauge, gaugeWidth } from '../draw/bars.ts'
import type { TableSettings } from '../settings.ts'
import { renderTable } from '../table.ts'
import { oneLine, paragraph } from '../text.ts'
import type { Column, RecordView, Terminal } from '../view.ts'
import { numberOrUndefined } from './format.ts'

/** Wellbeing scores (spec 2.4). A score is a number, or an object with `score` and `assessment`. */
export type Wellbeing = Readonly<
  Partial<Record<'physical' | 'mental' | 'energy_sleep' | 'status_label', unknown>>
>

export const wellbeingDimensions = [
  ['physical', 'Physical'],
  ['mental', 'Mental'],
  ['energy_sleep', 'Energy & sleep'],
] as const

/** The letters of a status label (spec 2.4). */
const meanings: Readonly<Record<string, string>> = {
  U: 'unknown',
  L: 'suboptimal',
  N: 'average',
  G: 'optimal',
}

/** Average score of users with the same age and sex (spec 2.4). */
const average = 50

/** The view of wellbeing scores: the status label in words, and for each dimension a bar on which the average is marked. */
export const wellbeingView: RecordView<Wellbeing> = {
  subject: 'Wellbeing',
  draw: drawWellbeing,
  columns: [
    ...wellbeingDimensions.map(([key, title]) => ({
      key,
      title,
      align: 'right' as const,
      value: (value: Wellbeing) => readScore(value[key]),
      cell: (value: Wellbeing, terminal: Terminal) => describeScore(value[key], terminal),
    })),
    { key: 'status_label', title: 'Status', cell: ({ status_label }) => spellStatus(status_label) },
    ...wellbeingDimensions.map(([key, title]) => ({
      key: `${key}_assessment`,
      title: `${title} assessment`,
      only: 'machines' as const,
      value: (value: Wellbeing) => readAssessment(value[key]),
    })),
  ],
}

export function readScore(value: unknown): number | null {
  return numberOrUndefined(value) ?? numberOrUndefined(fieldsOf(value)['score']) ?? null
}

/** A score as text: `51`, or `51 (fair)`. */
function describeScore(value: unknown, { isTTY }: Terminal): string {
  const [score, assessment] = [readScore(value), readAssessment(value)]
  const text = score === null ? '' : String(isTTY ? rounded(score) : score)
  return assessment === null ? text : `${text} (${assessment})`.trim()
}

/** The assessment that some services return together with a score. */
function readAssessment(value: unknown): string | null {
  const { assessment } = fieldsOf(value)
  return typeof assessment === 'string' ? assessment : null
}

/** The words for a status label, in the order of the dimensions. Empty for an invalid label. */
export function statusWords(label: unknown): string[] {
  return typeof label === 'string' && /^[ULNG]{3}$/.test(label)
    ? [...label].map((letter) => meanings[letter] ?? '')
    : []
}

/** A status label in words: `GLN: physical optimal, mental suboptimal, energy & sleep average`. An unknown label is returned unchanged. */
export function spellStatus(label: unknown): string {
  const words = statusWords(label)
  if (words.length === 0) return typeof label === 'string' ? label : ''
  return `${label}: ${wellbeingDimensions.map(([, name], index) => `${name.toLowerCase()} ${words[index]}`).join(', ')}`
}

interface Score {
  label: string
  score: number | null
  /** The status from the label or the assessment of the service. Empty if the service returned neither. */
  status: string
}

const scoreColumns: readonly Column<Score>[] = [
  { key: 'label', title: 'Wellbeing', whole: true },
  { key: 'bar', title: '', whole: true, only: 'pictures', priority: -1, cell: drawScore },
  { key: 'score', title: 'Score', align: 'right' },
  { key: 'status', title: 'Status', whole: true, cell: ({ status }) => status || ' ' },
]

async function drawWellbeing(
  value: Wellbeing,
  terminal: Terminal,
  settings: TableSettings,
): Promise<string | undefined> {
  if (!terminal.isTTY) return undefined
  const words = statusWords(value.status_label)
  const scores = wellbeingDimensions.map(([name, label], index): Score => {
    const status = words[index] ?? readAssessment(value[name]) ?? ''
    return { label, score: readScore(value[name]), status }
  })
  const table = await renderTable(scores, scoreColumns, terminal, settings)
  const label = oneLine(spellStatus(value.status_label))
  const mark = table.includes('┃') ? '┃ ' : ''
  const legend = terminal.dim(
    paragraph(`${mark}${average} is the average for the user’s age and sex.`, terminal),
  )
  const below = label === '' ? [legend] : [paragraph(`Status label ${label}`, terminal), legend]
  return `${[table, ...below].join('\n')}\n`
}

/** Draws no bar for a score that the service calls unknown, because a bar would look like a result. */
function drawScore({ score, status }: Score, terminal: Terminal): string {
  if (score === null || status === 'unknown') return terminal.dim('no data yet')
  return gauge(score, { width: gaugeWidth(terminal), mark: average }, terminal)
}
