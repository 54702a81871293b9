import type { Evidence, Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import type { Table } from './table.ts'

/** Collects evidence from all rows of a file, for questions that only a person can answer. */
export type Survey = Required<Evidence>

/** Throws an error with the questions about a file, if there are any. */
export async function throwUnclear(name: string, questions: readonly Question[]): Promise<void> {
  if (questions.length === 0) return
  const { UnclearFile } = await import('../questions.ts')
  throw new UnclearFile(name, questions)
}

/** Surveys all columns, or only the IDs if there can be no question about other columns. `more` is evidence that is always added. */
export async function openSurvey(table: Table, more: readonly Evidence[] = []): Promise<Survey> {
  const { rules, input, layout } = table
  const { external_user_id: external } = layout.columns
  const header = { questions: () => table.questions }
  const ids = rules.ids === undefined && external >= 0 ? [new IdSurvey(external, rules.kind === 'users')] : []
  let evidence: Evidence[] = [header, ...more, ...ids]
  const hasUnread = rules.kind === 'answers' && layout.unread.length > 0
  if (rules.kind === 'users' || input.isAssumed || hasUnread) {
    const { UnreadSurvey, surveyEncoding, surveyFields } = await import('./column-survey.ts')
    const columns = [new UnreadSurvey(table), ...ids, ...surveyFields(table)]
    evidence = [...surveyEncoding(table), header, ...more, ...columns]
  }
  return {
    note(cells, line) {
      for (const one of evidence) one.note?.(cells, line)
    },
    questions: () => evidence.flatMap((one) => one.questions()),
  }
}

const shownIds = 3
const maxShownText = 40
const space = 0x20

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Maximum number of texts without digits that can be totals and notes in a file with few IDs. */
const fewTexts = 2
const fewestIds = 3

/**
 * Finds IDs that have probably lost their leading zeros, such as `102` in a file in which most IDs are like `000101`. Before
 * users are created, also finds texts that are unlike all IDs, such as a total or a note below the table.
 */
class IdSurvey implements Evidence {
  private readonly column: number
  private readonly createsUsers: boolean
  private total = 0
  /** Number of texts that contain a space or no digit, and the first of these texts by line. */
  private unlike = 0
  private readonly unlikeTexts: { text: string; line: number }[] = []
  /** Number of bytes in each of the other IDs. */
  private readonly otherLengths = new Set<number>()
  /** For each length of IDs: number of IDs, number of IDs that start with a zero, and the first IDs. */
  private readonly lengths = new Map<number, { ids: number; padded: number; first: string[] }>()

  constructor(column: number, createsUsers: boolean) {
    this.createsUsers = createsUsers
    this.column = column
  }

  note({ bytes, starts, ends }: Cells, line: number): void {
    const from = starts[this.column] as number
    const to = ends[this.column] as number
    if (from === to) return
    this.total++
    // A file of answers causes no question about IDs that do not start with a digit, so these IDs are skipped to save time.
    if (!this.createsUsers && !isDigit(bytes[from] as number)) return
    let digits = 0
    let at = from
    for (; at < to && bytes[at] !== space; at++) if (isDigit(bytes[at] as number)) digits++
    const length = to - from
    if (at < to || digits === 0) {
      if (this.unlike++ < shownIds) this.unlikeTexts.push({ text: bytes.toString('utf8', from, to), line })
      return
    }
    if (digits < length) {
      this.otherLengths.add(length)
      return
    }
    const found = this.lengths.get(length) ?? { ids: 0, padded: 0, first: [] }
    if (found.ids === 0) this.lengths.set(length, found)
    found.ids++
    if (bytes[from] === 0x30) found.padded++
    if (found.first.length === shownIds) return
    const id = bytes.toString('latin1', from, to)
    if (!found.first.includes(id)) found.first.push(id)
  }

  questions(): Question[] {
    return [...(this.createsUsers ? this.unlikeQuestion() : []), ...this.zerosQuestion()]
  }

  private unlikeQuestion(): Question[] {
    const { total, unlike, otherLengths } = this
    // Random IDs without a digit have the length of the other IDs.
    const texts = this.unlikeTexts.filter(({ text }) => /\s/.test(text) || !otherLengths.has(text.length))
    const [first] = texts
    if (!first || total - unlike < fewestIds || unlike > Math.max(fewTexts, total / 10)) return []
    const listed = texts.map(({ text, line }) => `"${text.slice(0, maxShownText)}" (line ${line})`).join(', ')
    const prompts = [
      { label: `${listed} is`, choices: [{ name: 'a user ID', set: { ids: 'keep' as const } }] },
    ]
    const problem = `all other user IDs contain digits and no spaces, so ${listed} may be a total or a note. Delete the row, or use --ids keep if it is a user ID`
    return [{ problem, prompts, isPlain: true }]
  }

  private zerosQuestion(): Question[] {
    const usual = [...this.lengths].find(([, { ids, padded }]) => padded > 0 && ids * 2 > this.total)
    if (!usual) return []
    const [length, { first }] = usual
    const shorter = [...this.lengths].filter(([other, { ids, padded }]) => other < length && padded < ids)
    if (shorter.length === 0) return []
    const lost = shorter.flatMap((entry) => entry[1].first).filter((id) => !id.startsWith('0'))
    const count = shorter.reduce((sum, [, { ids, padded }]) => sum + ids - padded, 0)
    const [example = ''] = lost
    const padded = example.padStart(length, '0')
    const choices = [
      { name: `${padded} without its leading zeros`, set: { ids: length } },
      { name: `${example}, as it is written`, set: { ids: 'keep' as const } },
    ]
    const problem = `most user IDs have ${length} digits, such as ${first.join(', ')}, but ${count} ${count === 1 ? 'is' : 'are'} shorter, such as ${lost.slice(0, shownIds).join(', ')}. If a spreadsheet removed the leading zeros, use --ids pad:${length} (${example} becomes ${padded}). If the IDs have different lengths, use --ids keep`
    const prompts = [{ label: `The user ID ${example} is`, choices }]
    return [{ problem, suggested: { ids: 'keep' }, prompts }]
  }
}
