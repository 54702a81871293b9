import { mapFlag, type Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import type { Plan } from '../schemas.ts'
import { DateSurvey } from './date-survey.ts'
import { trimmedText } from './edges.ts'
import { fields } from './fields.ts'
import { IdSurvey } from './id-survey.ts'
import type { RecordReader } from './record-reader.ts'
import type { Table } from './table.ts'
import { ValueSurvey } from './value-survey.ts'

/** `72 kg` and `72,5` are numbers too. */
const number = /^[-+]?\d+(?:[.,' ]\d+)*\s*(?:%|\p{L}{1,4}\.?)?$/u

interface TypedColumn {
  column: number
  name: string
  survey: DateSurvey | ValueSurvey
}

/** Notices in all rows what only a person can decide. */
export class Survey {
  private readonly table: Table
  private readonly ids: IdSurvey | undefined
  /** Columns that are not read, until a number is found in them. */
  private unread: readonly number[]
  private readonly numeric: number[] = []
  private readonly typed: readonly TypedColumn[]
  /** Columns whose text is used. For an encoding that was assumed. */
  private readonly used: readonly number[]
  normalized: Plan['normalized'] = { trimmed_cells: 0, decimals: 0, restored_ids: 0, title_lines: 0 }
  skipped = 0
  changedIds: RecordReader['changedIds'] = new Map()
  private sample: { line: number; text: string } | undefined

  constructor(table: Table) {
    const { layout, rules, kind } = table
    this.table = table
    this.ids = rules.ids === undefined ? new IdSurvey() : undefined
    this.unread = kind === 'list' ? [] : layout.unread
    this.typed = kind === 'users' ? typedColumns(table) : []
    const { columns, keyColumns } = layout
    const keys = keyColumns.map(({ column }) => column).filter((column) => !layout.unread.includes(column))
    this.used = table.input.isAssumed ? [...Object.values(columns).filter((at) => at >= 0), ...keys] : []
  }

  /** Call it for each record, after its cells were trimmed if necessary. */
  note(cells: Cells, line: number): void {
    const { external_user_id: external } = this.table.layout.columns
    if (external >= 0) {
      this.ids?.note(cells.bytes, cells.starts[external] as number, cells.ends[external] as number)
    }
    for (const column of this.unread) this.noteUnread(cells, column)
    for (const { column, survey } of this.typed) survey.note(trimmedText(cells.text(column)))
    for (const column of this.used) this.noteEncoding(cells, column, line)
  }

  /** Call it after the last record. */
  finish({ trimmed, restored, changedIds }: RecordReader, skipped: number): void {
    this.changedIds = changedIds
    const { titleLines } = this.table
    this.normalized = { trimmed_cells: trimmed, decimals: 0, restored_ids: restored, title_lines: titleLines }
    this.skipped = skipped
  }

  questions(): Question[] {
    const { layout, input, questions } = this.table
    const names = (columns: readonly number[]) => columns.map((column) => layout.names[column]?.trim() ?? '')
    const simple = names(this.numeric).filter((name) => !name.includes(','))
    const others = names(this.numeric).filter((name) => name.includes(','))
    const listed = names(this.numeric)
      .map((name) => `"${name}"`)
      .join(', ')
    return [
      ...questions,
      ...(this.numeric.length === 0
        ? []
        : [
            {
              problem: `${listed} ${this.numeric.length === 1 ? 'contains' : 'contain'} numbers but ${this.numeric.length === 1 ? 'is not a field' : 'are not fields'} that facescan reads; map or ignore ${this.numeric.length === 1 ? 'it' : 'them'}`,
              flags: [
                ...(simple.length > 0
                  ? [`--ignore-columns '${simple.join(',').replaceAll("'", `'\\''`)}'`]
                  : []),
                ...others.map((name) => mapFlag(name, '')),
              ],
            },
          ]),
      ...(this.ids?.question() ?? []),
      ...this.typed.flatMap(({ name, survey }) => survey.questions(name)),
      ...(this.sample
        ? [
            {
              problem: `${input.name} is not UTF-8; as ${input.encoding}, line ${this.sample.line} contains "${this.sample.text}"`,
              flags: [`--encoding ${input.encoding}`],
            },
          ]
        : []),
    ]
  }

  private noteUnread(cells: Cells, column: number): void {
    const first = cells.bytes[cells.starts[column] as number] as number
    // Most texts start with a letter.
    if (cells.isEmpty(column) || (first >= 0x3a && first < 0x80)) return
    if (!number.test(trimmedText(cells.text(column)))) return
    this.unread = this.unread.filter((other) => other !== column)
    this.numeric.push(column)
  }

  private noteEncoding(cells: Cells, column: number, line: number): void {
    if (this.sample) return
    const text = cells.text(column)
    if (/[\u0080-\uffff]/.test(text)) this.sample = { line, text: text.slice(0, 40) }
  }
}

function typedColumns({ layout, rules }: Table): TypedColumn[] {
  return layout.keyColumns.flatMap(({ column, key }): TypedColumn[] => {
    const field = fields.find(({ name }) => name === key)
    const name = layout.names[column]?.trim() ?? key
    if (field?.type === 'date' && rules.dateFormat === undefined)
      return [{ column, name, survey: new DateSurvey() }]
    const isMapped = rules.values?.[key] !== undefined
    return field?.type === 'choice' && !isMapped ? [{ column, name, survey: new ValueSurvey(field) }] : []
  })
}
