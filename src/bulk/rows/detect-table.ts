import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import { EncodingSurvey } from './encodings.ts'
import { findHeader } from './find-header.ts'
import { recordsFrom } from './first-records.ts'
import { decideHeader } from './header.ts'
import { jsonTable } from './json-table.ts'
import { emptyInput, idRules, type TableRules } from './layout.ts'
import { plainTable } from './plain-list.ts'
import { isJsonName, type Table } from './table.ts'

/** Determines how to read a file whose header is not exact. Throws an error with the questions that only a person can answer. */
export function detectTable(input: InputFile, rules: TableRules): Table {
  const list = rules.kind === 'answers' ? undefined : plainTable(input, rules)
  if (list) return list
  const [raw] = recordsFrom(input, { quotes: false }, { offset: input.start, line: 1 })
  if (!raw) throw emptyInput(input)
  const first = raw.record.toString()
  const { offset, line, following } = raw
  const place = { offset, line }
  const base = { input, rules, ids: idRules(rules) }
  if (isJsonName(input.name) || first.trimStart().startsWith('{'))
    return { ...base, ...jsonTable(input, rules, place) }
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

function jsonArrayError(input: InputFile): UsageError {
  return new UsageError(`${input.name} is a JSON array; one JSON object per line is required`, {
    hint: `Convert it: jq -c '.[]'${input.path === undefined ? '' : ` ${quoteWord(input.name)} > answers.jsonl`}`,
  })
}
