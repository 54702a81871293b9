import { flagsOf, type Question } from '../questions.ts'
import { type Cells, trimmedText } from '../scan/cells.ts'
import { DateSurvey, isDateLike } from './dates.ts'
import { EncodingSurvey } from './encodings.ts'
import { fields } from './fields.ts'
import { columnPrompt } from './header.ts'
import { keyIn } from './similar.ts'
import type { Table } from './table.ts'
import { ValueSurvey } from './values.ts'

/** Matches numbers, including `72 kg` and `72,5`. */
const number = /^[-+]?\d+(?:[.,' ]\d+)*\s*(?:%|\p{L}{1,4}\.?)?$/u

/** A column with numbers that is not read, and the field or lookup key that it may contain. */
interface Numeric {
  name: string
  example: string
  field?: string | undefined
}

interface TypedColumn {
  column: number
  name: string
  survey: DateSurvey | ValueSurvey
}

/** Finds questions about columns that are not read, and about columns whose values are dates or words. */
export class ColumnSurvey {
  private readonly table: Table
  /** Columns that are not read and contained no number so far. */
  private unread: readonly number[]
  private readonly numeric: Numeric[] = []
  private readonly typed: readonly TypedColumn[]
  /** Undefined if the encoding is known. */
  private readonly encoding: EncodingSurvey | undefined
  /** Columns whose text is used, for the question about the encoding. */
  private readonly used: readonly number[]

  constructor(table: Table) {
    const { layout, rules } = table
    const { kind } = rules
    this.table = table
    this.unread = kind === 'list' ? [] : layout.unread
    this.typed = kind === 'users' ? typedColumns(table) : []
    const { columns, keyColumns } = layout
    const keys = keyColumns.map(({ column }) => column).filter((column) => !layout.unread.includes(column))
    this.encoding = table.input.isAssumed ? new EncodingSurvey(table.input) : undefined
    for (const name of layout.names) this.encoding?.note(name, 'the header')
    this.used = this.encoding ? [...Object.values(columns).filter((at) => at >= 0), ...keys] : []
  }

  note(cells: Cells, line: number): void {
    for (const column of this.unread) this.noteUnread(cells, column)
    for (const { column, survey } of this.typed) survey.note(cells, column)
    for (const column of this.used) this.encoding?.note(cells.text(column), `line ${line}`)
  }

  /** The questions in the order in which a person needs them. */
  questions(aboutIds: readonly Question[]): Question[] {
    const encoding = this.encoding?.question() ?? []
    // All texts depend on the encoding, so the other questions are asked after the encoding is known.
    if (encoding.some(({ suggested }) => suggested === undefined)) return encoding
    return [
      ...encoding,
      ...this.table.questions,
      ...this.numericQuestions(),
      ...aboutIds,
      ...this.typed.flatMap(({ name, survey }) => survey.questions(name)),
    ]
  }

  /** Questions about unread columns with numbers. A person must decide whether facescan reads or ignores such a column. */
  private numericQuestions(): Question[] {
    const questions: Question[] = []
    const others: Numeric[] = []
    const { layout, rules } = this.table
    for (const { name, example, field } of this.numeric) {
      const isTaken = layout.keyColumns.some(({ key }) => key === field)
      if (field === undefined || isTaken) {
        others.push({ name, example })
        continue
      }
      const read = flagsOf({ map: { [name]: field } })
      const problem = `column "${name}" may be ${field}; add ${read} or ${flagsOf({ ignoreColumns: [name] })}`
      questions.push({ problem, prompts: [columnPrompt(this.table, name, field, example)], isPlain: true })
    }
    const [first, ...more] = others.map(({ name }) => `"${name}"`)
    if (first === undefined) return questions
    const problem =
      more.length === 0
        ? `${first} contains numbers but is not a field that facescan reads; map or ignore it`
        : `${[first, ...more].join(', ')} contain numbers but are not fields that facescan reads; map or ignore them`
    // No column with answers is read, so the command would import nothing without this column.
    const isNeeded = rules.kind === 'answers' && layout.form === 'wide' && layout.keyColumns.length === 0
    const suggested = { ignoreColumns: others.map(({ name }) => name) }
    const prompts = others.map(({ name, example }) => columnPrompt(this.table, name, '', example))
    return [...questions, { problem, ...(!isNeeded && { suggested }), prompts, isPlain: true }]
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
    // The numbers in the rejects file of an import are answers. A field of a user is never a number.
    if (isOfUser && !isDate && this.table.layout.isResult) return
    const name = this.table.layout.names[column]?.trim() ?? ''
    this.numeric.push({ name, example, field: isDate ? 'birth_date' : keyIn(name, this.table.rules) })
  }
}

function typedColumns({ layout, rules }: Table): TypedColumn[] {
  return layout.keyColumns.flatMap(({ column, key }): TypedColumn[] => {
    const field = fields.find(({ name }) => name === key)
    const name = layout.names[column]?.trim() ?? key
    if (field?.type === 'date') return [{ column, name, survey: new DateSurvey(key, rules) }]
    const isMapped = rules.values?.[key] !== undefined
    return field?.type === 'choice' && !isMapped ? [{ column, name, survey: new ValueSurvey(field) }] : []
  })
}
