import { rounded } from '../../base/functions.ts'
import { fieldsOf } from '../../base/json.ts'
import { paragraph } from '../text.ts'
import type { RecordView, Terminal } from '../view.ts'
import { numberOrUndefined } from './scans.ts'

/** Wellbeing scores (spec 2.4). A score is a number, or an object with `score` and `assessment`. */
export type Wellbeing = Readonly<
  Partial<Record<'physical' | 'mental' | 'energy_sleep' | 'status_label', unknown>>
>

export const wellbeingDimensions = [
  ['physical', 'Physical'],
  ['mental', 'Mental'],
  ['energy_sleep', 'Energy & sleep'],
] as const

/** The meaning of each letter in a status label (spec 2.4). */
const meanings: Readonly<Record<string, string>> = {
  U: 'unknown',
  L: 'suboptimal',
  N: 'average',
  G: 'optimal',
}

/** Average score of users with the same age and sex (spec 2.4). */
const average = 50

export const wellbeingView: RecordView<Wellbeing> = {
  subject: 'Wellbeing',
  after: (_, terminal) =>
    terminal.dim(paragraph(`${average} is the average for the user’s age and sex.`, terminal)),
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
