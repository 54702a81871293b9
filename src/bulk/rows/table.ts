import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import type { Dialect } from '../scan/scanner.ts'
import type { Plan } from '../schemas.ts'
import { EncodingSurvey } from './encodings.ts'
import type { TableKind } from './fields.ts'
import { findHeader } from './find-header.ts'
import { recordsFrom } from './first-records.ts'
import { decideHeader } from './header.ts'
import { parseLine } from './json-line.ts'
import {
  answerColumns,
  emptyInput,
  idRules,
  isOther,
  type Layout,
  layoutOf,
  type Position,
  readAsOf,
  type TableRules,
} from './layout.ts'
import type { IdRules } from './user-ids.ts'

/** An input and how its rows are read, as determined from the first records. */
export interface Table {
  input: InputFile
  kind: TableKind
  rules: TableRules
  format: Plan['format']
  delimiter: Plan['delimiter']
  dialect: Dialect
  layout: Layout
  ids: IdRules
  /** Questions about the header. */
  questions: readonly Question[]
  /** Number of lines above the header. */
  titleLines: number
  /** Position of the first data row. */
  data: Position
  /** Position of the header, for the result files. */
  header: { from: number; to: number } | undefined
}

/** Maximum number of lines that are read to determine whether the file has one answer per row (long) or one user per row (wide). */
const maxLinesForForm = 1000

export function openTable(input: InputFile, rules: TableRules): Table {
  const [raw] = recordsFrom(input, { quotes: false }, { offset: input.start, line: 1 })
  if (!raw) throw emptyInput(input)
  const first = raw.record.toString()
  const { offset, line, following } = raw
  const place = { offset, line }
  const base = { input, kind: rules.kind, rules, ids: idRules(rules) }
  if (isJson(input.name, first)) return { ...base, ...jsonTable(input, rules, place) }
  if (/^\s*\[\s*([{\]]|$)/.test(first)) throw jsonArrayError(input)
  const sep = /^"?sep=(.)"?$/i.exec(first)?.[1]
  const found = findHeader(input, sep === undefined ? place : following, rules, sep)
  const { character, dialect, rows, header, questions } = found
  const encoding = askEncoding(input, header.names)
  const decided = decideHeader(header.names, rules, rows)
  questions.push(...decided.questions, ...(decided.isNamed ? [] : sheetQuestion(input)))
  if (!decided.layout) throw new UnclearFile(input.name, [...encoding, ...questions])
  const from = rules.delimiter !== undefined ? 'option' : sep ? 'sep line' : 'header'
  return {
    ...base,
    format: character === '\t' ? 'tsv' : 'csv',
    delimiter: { character, from },
    dialect,
    layout: decided.layout,
    questions,
    titleLines: found.titleLines,
    data: header.following,
    header: header.span,
  }
}

/** Asks for the encoding of the column names. Throws if the names are not clear, because the other questions depend on them. */
function askEncoding(input: InputFile, names: readonly string[]): Question[] {
  if (!input.isAssumed) return []
  const survey = new EncodingSurvey(input)
  for (const name of names) survey.note(name, 'the header')
  const questions = survey.question()
  if (questions.some(({ suggested }) => suggested === undefined)) throw new UnclearFile(input.name, questions)
  return questions
}

/** Asks for the sheet, because the users may be on a different sheet. */
function sheetQuestion({ otherSheets = [], sheet }: InputFile): Question[] {
  const choices = otherSheets.map((name) => ({ name, set: { sheet: name } }))
  if (choices.length === 0) return []
  return [{ problem: `this is sheet ${sheet}; another sheet`, prompts: [{ label: 'Sheet', choices }] }]
}

function jsonTable(input: InputFile, rules: TableRules, data: Position) {
  const { kind } = rules
  const layout = layoutOf(kind === 'answers' ? answerColumns : answerColumns.slice(0, 2), { kind })
  const form = kind === 'answers' ? jsonForm(input, data, rules) : layout.form
  return {
    format: 'jsonl' as const,
    delimiter: undefined,
    dialect: { quotes: false },
    layout: { ...layout, form },
    questions: [],
    titleLines: 0,
    data,
    header: undefined,
  }
}

/** Determines whether JSON lines have the long or the wide form. Ignores invalid lines and lines with only a user. */
function jsonForm(input: InputFile, data: Position, rules: TableRules): Layout['form'] {
  let looked = 0
  for (const { fault, record } of recordsFrom(input, { quotes: false }, data)) {
    if (fault || looked++ === maxLinesForForm) break
    const parsed = parseLine(record)
    const members = 'members' in parsed ? parsed.members : []
    const keys = members.map(({ name }) => readAsOf(name, rules))
    if (keys.includes('lookup_key') || keys.includes('value')) return 'long'
    if (keys.some((key) => isOther(key))) return 'wide'
  }
  return 'long'
}

function isJson(name: string, first: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name) || first.trimStart().startsWith('{')
}

function jsonArrayError(input: InputFile): UsageError {
  return new UsageError(`${input.name} is a JSON array; one JSON object per line is required`, {
    hint: `Convert it: jq -c '.[]'${input.path === undefined ? '' : ` ${quoteWord(input.name)} > answers.jsonl`}`,
  })
}
