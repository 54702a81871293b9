import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import { trimmedText } from '../scan/cells.ts'
import { findDelimiterAndHeader } from './delimiter-and-header.ts'
import { EncodingSurvey } from './encodings.ts'
import { decideHeader } from './header.ts'
import { jsonTable } from './json-table.ts'
import { plainTable, sheetQuestion } from './plain-list.ts'
import { sampleOf, tableSample } from './sample.ts'
import { isLikelyName } from './similar.ts'
import { emptyInput, isJsonName, type Table, type TableRules } from './table.ts'

/** Maximum number of lines from which the form (long or wide) of a JSON lines file is determined. */
const maxLines = 1000

/** Determines how to read a file that `exactTable` does not support. Throws the questions that only a person can answer. */
export function detectTable(input: InputFile, rules: TableRules): Table {
  const lines = sampleOf(input, { quotes: false }, { offset: input.start, line: 1 }, maxLines)
  const list = rules.kind === 'answers' ? undefined : plainTable(input, rules, lines.slice(0, tableSample))
  if (list) return list
  const [line] = lines
  if (!line) throw emptyInput(input)
  const [first = ''] = line.cells
  if (!isJsonName(input.name) && /^\s*\{\s*$/.test(first))
    throw jsonError(input, 'contains a JSON object that spans several lines', '.')
  if (isJsonName(input.name) || first.trimStart().startsWith('{')) return jsonTable(input, rules, lines)
  if (/^\s*\[\s*([{\]]|$)/.test(first)) throw jsonError(input, 'is a JSON array', '.[]')
  const sep = /^"?sep=(.)"?$/i.exec(first)?.[1]
  const { character, dialect, rows, header, questions, titleLines } = findDelimiterAndHeader(
    input,
    sep === undefined ? line.start : line.following,
    rules,
    sep,
  )
  const encoding = askEncoding(input, header.cells, rules)
  const decided = decideHeader(header.cells, rules, rows)
  questions.push(...decided.questions, ...(decided.isNamed ? [] : sheetQuestion(input)))
  if (!decided.layout) throw new UnclearFile(input.name, [...encoding, ...questions])
  return {
    input,
    rules,
    format: character === '\t' ? 'tsv' : 'csv',
    delimiter: { character, from: rules.delimiter !== undefined ? 'option' : sep ? 'sep line' : 'header' },
    dialect,
    layout: decided.layout,
    questions,
    titleLines,
    data: header.following,
    header: { from: header.start.offset, to: header.end },
  }
}

/** Returns the question about the encoding of the column names. Throws it if the names were probably decoded with a wrong encoding. */
function askEncoding(input: InputFile, names: readonly string[], rules: TableRules): Question[] {
  const survey = new EncodingSurvey(input)
  if (input.isAssumed) for (const name of names) survey.note(trimmedText(name), 'the header')
  return survey.questions(names, (name) => isLikelyName(name, rules))
}

function jsonError(input: InputFile, problem: string, filter: string): UsageError {
  return new UsageError(`${input.name} ${problem}; one JSON object per line is required`, {
    hint: `Convert the file: jq -c '${filter}'${input.path === undefined ? '' : ` ${quoteWord(input.name)} > ${quoteWord(`${input.name.replace(/\.\w+$/, '')}.jsonl`)}`}`,
  })
}
