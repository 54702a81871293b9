import { orUndefined } from '../../base/functions.ts'
import type { Question } from '../questions.ts'
import { type Cells, trimmedText } from '../scan/cells.ts'
import type { Plan } from '../schemas.ts'
import { DateSurvey, isDateLike } from './dates.ts'
import { fields } from './fields.ts'
import { columnPrompt } from './header.ts'
import type { RecordReader } from './record-reader.ts'
import type { Table } from './table.ts'
import { IdSurvey } from './user-ids.ts'
import { ValueSurvey } from './values.ts'

/** `72 kg` and `72,5` are numbers too. */
const number = /^[-+]?\d+(?:[.,' ]\d+)*\s*(?:%|\p{L}{1,4}\.?)?$/u

const notAscii = /[\u0080-\uffff]/

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
  private readonly numeric: { name: string; example: string }[] = []
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
    for (const { column, survey } of this.typed) survey.note(cells, column)
    for (const column of this.used) this.noteEncoding(cells, column, line)
  }

  /** Call it after the last record. */
  finish({ trimmed, restored, changedIds }: RecordReader, skipped: number): void {
    this.changedIds = changedIds
    const { titleLines } = this.table
    this.normalized = { trimmed_cells: trimmed, decimals: 0, restored_ids: restored, title_lines: titleLines }
    this.skipped = skipped
  }

  /** In the order in which a person needs the answers. */
  questions(): Question[] {
    return [
      ...this.encodingQuestion(),
      ...this.table.questions,
      ...this.numericQuestion(),
      ...(this.ids?.question() ?? []),
      ...this.typed.flatMap(({ name, survey }) => survey.questions(name)),
    ]
  }

  private numericQuestion(): Question[] {
    const names = this.numeric.map(({ name }) => name)
    const [first, ...others] = names.map((name) => `"${name}"`)
    if (first === undefined) return []
    const problem =
      others.length === 0
        ? `${first} contains numbers but is not a field that facescan reads; map or ignore it`
        : `${[first, ...others].join(', ')} contain numbers but are not fields that facescan reads; map or ignore them`
    const prompts = this.numeric.map(({ name, example }) => columnPrompt(this.table, name, '', example))
    return [{ problem, suggested: { ignoreColumns: names }, prompts, isPlain: true }]
  }

  private encodingQuestion(): Question[] {
    const { table } = this
    const { name, encoding, isAssumed } = table.input
    const header = table.layout.names.find((text) => isAssumed && notAscii.test(text))
    const sample = header === undefined ? this.sample : { line: 0, text: header }
    if (!sample) return []
    const choices = readings(sample.text, encoding).map(({ label, text }) => {
      return { name: `${label}: ${text}`, set: { encoding: label } }
    })
    const others = choices.filter(({ set }) => set.encoding !== encoding).map(({ name }) => name)
    const listed = others.length === 0 ? '' : ` (${others.join(', ')})`
    const place = sample.line === 0 ? 'the header' : `line ${sample.line}`
    return [
      {
        problem: `${name} is not UTF-8; as ${encoding}, ${place} contains "${sample.text}"${listed}`,
        ...(choices[0]?.set.encoding === encoding && { suggested: { encoding } }),
        prompts: [{ label: `Text of ${place}`, choices }],
      },
    ]
  }

  private noteUnread(cells: Cells, column: number): void {
    const first = cells.bytes[cells.starts[column] as number] as number
    // Most texts start with a letter.
    if (cells.isEmpty(column) || (first >= 0x3a && first < 0x80)) return
    const example = trimmedText(cells.text(column))
    const isDate = this.table.kind === 'users' && isDateLike(example)
    if (!isDate && !number.test(example)) return
    this.unread = this.unread.filter((other) => other !== column)
    this.numeric.push({ name: this.table.layout.names[column]?.trim() ?? '', example })
  }

  private noteEncoding(cells: Cells, column: number, line: number): void {
    if (this.sample) return
    const text = cells.text(column)
    const at = text.search(notAscii)
    if (at >= 0) this.sample = { line, text: text.slice(Math.max(0, at - 20), at + 20) }
  }
}

const encodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'macintosh',
  'shift_jis',
  'gbk',
]

/** The different texts that bytes can mean, in the encodings that spreadsheets use. */
function readings(text: string, encoding: string): { label: string; text: string }[] {
  const letters = [
    ...decoded(
      encoding,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    ),
  ]
  const bytes = Uint8Array.from([...text].map((letter) => letters.indexOf(letter)))
  const all = encodings.map((label) => ({ label, text: decoded(label, bytes) }))
  return all.filter(
    (one, at) =>
      one.text !== '' &&
      !/\p{Cc}/u.test(one.text) &&
      all.findIndex((other) => other.text === one.text) === at,
  )
}

/** Empty if the bytes are not text in this encoding. */
function decoded(label: string, bytes: Uint8Array): string {
  // Without stream, some versions of Node decode windows-1252 as ISO 8859-1.
  const decode = () => new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
  return orUndefined(decode) ?? ''
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
