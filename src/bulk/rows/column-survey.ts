import { quoteWord } from '../../base/text.ts'
import { lookupKeys } from '../../contract/values.ts'
import { type Evidence, flagsOf, type Question } from '../questions.ts'
import { type Cells, trimmedText } from '../scan/cells.ts'
import { DateSurvey, isDateLike } from './dates.ts'
import { EncodingSurvey } from './encodings.ts'
import { fields, shownName } from './fields.ts'
import { columnPrompt } from './header.ts'
import { isLikelyName, keyIn, similarTo } from './similar.ts'
import type { Table } from './table.ts'
import { isSexWord, ValueSurvey } from './values.ts'

/** The text that is checked to find an unknown encoding: the header, and the cells whose text the command uses. */
export function surveyEncoding({ input, layout, rules }: Table): Evidence[] {
  if (!input.isAssumed) return []
  const survey = new EncodingSurvey(input)
  for (const name of layout.names) survey.note(trimmedText(name), 'the header')
  const keys = layout.keyColumns.map(({ column }) => column)
  const used = [...Object.values(layout.columns).filter((at) => at >= 0), ...keys]
  const read = used.filter((column) => !layout.unread.includes(column))
  return [
    {
      note: (cells, line) => {
        for (const column of read) survey.note(cells.text(column), `line ${line}`)
      },
      questions: () => survey.questions(layout.names, (text) => isSexWord(text) || isLikelyName(text, rules)),
    },
  ]
}

/** Evidence about the meaning of columns whose values are dates or words. */
export function surveyFields({ layout, rules }: Table): Evidence[] {
  if (rules.kind !== 'users') return []
  return layout.keyColumns.flatMap(({ column, key }): Evidence[] => {
    const field = fields.find(({ name }) => name === key)
    const surveyed = { at: column, name: shownName(layout.names[column] ?? key), field: key }
    if (field?.type === 'date') return [new DateSurvey(surveyed, rules)]
    const isMapped = rules.values?.[key] !== undefined
    return field?.type === 'choice' && !isMapped ? [new ValueSurvey(surveyed, field)] : []
  })
}

/** Matches numbers, including `72 kg` and `72,5`. */
const number = /^[-+]?\d+(?:[.,' ]\d+)*\s*(?:%|\p{L}{1,4}\.?)?$/u

/** An ignored column with numbers, and the field or lookup key that it may contain. */
interface Numeric {
  name: string
  example: string
  field?: string | undefined
}

/** Finds columns that are not read although they contain numbers. */
export class UnreadSurvey implements Evidence {
  private readonly table: Table
  /** Columns that contained no number so far. */
  private unread: readonly number[]
  private readonly numeric: Numeric[] = []

  constructor(table: Table) {
    this.table = table
    this.unread = table.rules.kind === 'list' ? [] : table.layout.unread
  }

  note(cells: Cells): void {
    for (const column of this.unread) this.noteUnread(cells, column)
  }

  /** Questions about the columns that contain numbers but are not read. A person must decide whether each column is read or ignored. */
  questions(): Question[] {
    const questions: Question[] = []
    const others: Numeric[] = []
    const { input, layout, rules } = this.table
    for (const { name, example, field } of this.numeric) {
      const isTaken = layout.keyColumns.some(({ key }) => key === field)
      if (field === undefined || isTaken) {
        others.push({ name, example })
        continue
      }
      const read = flagsOf({ map: { [name]: field } })
      const problem = `column "${name}" may be ${field}; add ${read} or ${flagsOf({ ignoreColumns: [name] })}`
      questions.push({ problem, prompts: [columnPrompt(rules, name, field, example)], isPlain: true })
    }
    const [first, ...more] = others.map(({ name }) => `"${name}"`)
    if (first === undefined) return questions
    const command = `facescan users import ${quoteWord(input.path ?? 'FILE')} --with-answers`
    const saved = this.hasAnswers(others) ? `. To save the answers in the file: ${command}` : ''
    const problem =
      more.length === 0
        ? `${first} contains numbers but is not a field that facescan reads; map or ignore it${saved}`
        : `${[first, ...more].join(', ')} contain numbers but are not fields that facescan reads; map or ignore them${saved}`
    // If no other column contains answers, the import needs this column, so ignoring the column is not suggested.
    const isNeeded = rules.kind === 'answers' && layout.form === 'wide' && layout.keyColumns.length === 0
    const suggested = { ignoreColumns: others.map(({ name }) => name) }
    const prompts = others.map(({ name, example }) => columnPrompt(rules, name, '', example))
    // A problem whose text contains the command for saving answers must also be visible on a terminal. Therefore `isPlain` is omitted.
    return [
      ...questions,
      { problem, ...(!isNeeded && { suggested }), prompts, ...(saved === '' && { isPlain: true as const }) },
    ]
  }

  /** Whether the name of a column in a list of users is similar to a lookup key, such as `Height (cm)`. */
  private hasAnswers(columns: readonly Numeric[]): boolean {
    if (this.table.rules.kind !== 'users') return false
    const keys: readonly string[] = lookupKeys
    return columns.some(({ name }) => keys.includes(similarTo(name, 'answers', keys) ?? ''))
  }

  private noteUnread(cells: Cells, column: number): void {
    const first = cells.bytes[cells.starts[column] as number] as number
    // Fast path: most texts start with a letter and need no further check.
    if (cells.isEmpty(column) || (first >= 0x3a && first < 0x80)) return
    const example = trimmedText(cells.text(column))
    const isOfUser = this.table.rules.kind === 'users'
    const isDate = isOfUser && isDateLike(example)
    if (!isDate && !number.test(example)) return
    this.unread = this.unread.filter((other) => other !== column)
    // In a rejects file, a column with numbers contains answers from an import and never a field of a user, so it is ignored.
    if (isOfUser && !isDate && this.table.layout.isResult) return
    const name = shownName(this.table.layout.names[column] ?? '')
    this.numeric.push({ name, example, field: isDate ? 'birth_date' : keyIn(name, this.table.rules) })
  }
}
