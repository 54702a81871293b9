import type { InputFile } from '../input-file.ts'
import { userKinds } from '../types.ts'
import { readAsOf } from './column-names.ts'
import { recordsFrom } from './first-records.ts'
import { JsonCells } from './json-cells.ts'
import { parseLine, rawRecordKey, unwrapRecord } from './json-line.ts'
import {
  answerColumns,
  isOther,
  type Layout,
  layoutWith,
  type Position,
  resultColumns,
  type TableRules,
} from './layout.ts'

/** How lines of JSON are read, and written to result files. */
export interface JsonFormat {
  openCells(): JsonCells
  /** A line with the reason added. With `onlyKeys`, other lookup keys are left out. */
  resultLine(record: Buffer, reason: ResultCells, onlyKeys?: ReadonlySet<string>): string
}

/** Maximum number of lines that are read to determine whether the file has one answer per row (long) or one user per row (wide). */
const maxLinesForForm = 1000

/** The table of a file with lines of JSON. */
export function jsonTable(input: InputFile, rules: TableRules, data: Position) {
  const { kind } = rules
  const names = kind === 'answers' ? answerColumns : userKinds
  const layout = layoutWith(names, names, kind)
  const form = kind === 'answers' ? jsonForm(input, data, rules) : layout.form
  const json: JsonFormat = {
    openCells: () => new JsonCells({ ...layout, form }, rules),
    resultLine: (record, reason, onlyKeys) => jsonResultLine(record, reason, rules, onlyKeys),
  }
  return {
    format: 'jsonl' as const,
    json,
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

type ResultCells = readonly [line: number, column: string, code: string, message: string]

const endsInResult =
  /,?"_line":\d+,"_column":"(?:[^"\\]|\\.)*","_code":"(?:[^"\\]|\\.)*","_message":"(?:[^"\\]|\\.)*"\}$/

/** A line of JSON with the reason added. A line that is not an object is kept as a string. */
function jsonResultLine(
  raw: Buffer,
  result: ResultCells,
  rules: TableRules,
  onlyKeys?: ReadonlySet<string>,
): string {
  const reason = JSON.stringify(Object.fromEntries(resultColumns.map((name, index) => [name, result[index]])))
  const parsed = parseLine(raw)
  if ('reason' in parsed)
    return withReason(JSON.stringify({ [rawRecordKey]: unwrapRecord(raw.toString()) }), reason)
  if (onlyKeys === undefined) return withReason(parsed.text.trimEnd().replace(endsInResult, '}'), reason)
  const kept = new Set<string>([...answerColumns, ...onlyKeys])
  const members = parsed.members
    .filter(({ name }) => kept.has(readAsOf(name, rules)))
    .map(({ name, raw }) => `${JSON.stringify(name)}:${raw ?? JSON.stringify(parsed.object[name])}`)
  return withReason(`{${members.join()}}`, reason)
}

function withReason(object: string, reason: string): string {
  const inside = object.slice(0, -1).trimEnd()
  return `${inside}${inside === '{' ? '' : ','}${reason.slice(1)}`
}
