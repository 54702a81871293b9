import { UsageError } from '../../base/errors.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import { trimmedText } from '../scan/cells.ts'
import { dialectOf } from '../scan/scanner.ts'
import { isUserField, readAsOf } from './column-names.ts'
import type { SampleRecord } from './sample.ts'
import { similarTo } from './similar.ts'
import { isJsonName, layoutWith, type Table, type TableRules } from './table.ts'

/** Maximum number of lines above the IDs. */
const mostTitles = 3

/** Usual headers, written without spaces, dashes, and underscores. A word that is not in this list could be a user ID. */
const headerLine = new RegExp(
  [
    '(external)?(user|employee|patient|customer|client|member|person)?ids?',
    '(user|employee|patient|customer|client|member|person)(s|no\\.?|number)?',
    '(user)?names?',
    'e?mail(address)?',
  ]
    .map((header) => `^${header}$`)
    .join('|'),
  'i',
)

/** Endings of column names such as Personeelsnummer. */
const numberWord = /(nummer|number|numéro|numero|nr|matricule)\.?$/i

interface Line {
  text: string
  /** Line number in the file, starting at 1. */
  line: number
}

/** Reads a list with one user ID per line and without a header. Undefined if the first lines (`sample`) are a table. */
export function plainTable(
  input: InputFile,
  rules: TableRules,
  sample: readonly SampleRecord[],
): Table | undefined {
  if (rules.delimiter !== undefined || rules.headerLine !== undefined || isJsonName(input.name))
    return undefined
  const { lines, delimiter } = plainLines(sample)
  const [first] = lines
  if (!first || lines.some(({ text }) => /["{[=,;\t|]/.test(text))) return undefined
  if (/\S {2,}\S/.test(first.text))
    throw new UsageError(`${input.name} has fixed-width columns, or names instead of user IDs`, {
      hint: 'Save the file as CSV (UTF-8).',
    })
  const namesUser = ({ text }: Line) =>
    [text, ...text.split(/[\^~:!/#* ]/)].some((name) => isUserField(readAsOf(name, rules)))
  // A line that is the name of a user column, or contains the name between possible delimiters, is a header.
  if (lines.some(namesUser)) return undefined
  if (rules.ids !== 'exact') refuseHeader(input, lines, rules)
  return {
    rules,
    questions: sheetQuestion(input),
    input,
    format: 'csv',
    delimiter: { character: delimiter, from: 'option' },
    dialect: dialectOf(delimiter),
    layout: layoutWith(['external_user_id'], ['external_user_id'], rules.kind),
    data: { offset: input.start, line: 1 },
  }
}

/** The lines that contain text. Quotation marks, and delimiters at the end of a line, are removed. */
function plainLines(sample: readonly SampleRecord[]): { lines: Line[]; delimiter: string } {
  const lines = sample
    .map(({ cells: [text = ''], start: { line } }) => ({ text: trimmedText(text), line }))
    .filter(({ text }) => text !== '')
  const ends = new Set(lines.map(({ text }) => /[,;|]$/.exec(text)?.[0]))
  const [delimiter] = ends.size === 1 ? ends : []
  const cellIn = (text: string) =>
    (delimiter === undefined ? text : text.slice(0, -1)).replace(/^"([^"]*)"$/, '$1')
  return { lines: lines.map(({ text, line }) => ({ text: cellIn(text), line })), delimiter: delimiter ?? ',' }
}

/** Refuses a list if one of the first lines differs from the lines below it, because such a line is probably a header or a title. */
function refuseHeader(input: InputFile, lines: readonly Line[], { kind }: TableRules): void {
  const last = lines.slice(0, mostTitles).findLastIndex(({ text }, at) => {
    const others = lines.slice(at + 1)
    return isUnlike(text, others) && (at === 0 || others.length > 1)
  })
  const isNamed = (text: string) =>
    headerLine.test(text.replace(/[\s_-]/g, '')) ||
    (numberWord.test(text) && similarTo(text, kind, []) === 'external_user_id')
  const header = lines[last] ?? lines.slice(0, 1).find(({ text }) => isNamed(text))
  if (!header) return
  const { text, line } = header
  const asHeader = { map: { [text]: 'external_user_id' }, ...(last > 0 && { headerLine: line }) }
  const choices = [
    { name: 'a header or a title', set: asHeader },
    { name: 'a user ID', set: { ids: 'exact' as const } },
  ]
  const question = {
    problem: `line ${line}, "${text}", looks like a header or a title, not like a user ID`,
    ...(isNamed(text) && { suggested: asHeader }),
    prompts: [{ label: `Line ${line}, "${text}", is`, choices }],
  }
  throw new UnclearFile(input.name, [question, ...sheetQuestion(input)])
}

/** Asks for the sheet, because the users may be on a different sheet. */
export function sheetQuestion({ otherSheets = [], sheet = '' }: InputFile): Question[] {
  if (otherSheets.length === 0) return []
  const current = sheet.slice(0, sheet.lastIndexOf(', rows '))
  const choices = [...otherSheets, current].map((name) => ({ name, set: { sheet: name } }))
  const problem = `${sheet} may be the wrong sheet; choose the sheet`
  return [{ problem, prompts: [{ label: 'Sheet', choices }] }]
}

/** Whether this line is the only line with spaces, or the only line without digits. */
function isUnlike(text: string, others: readonly Line[]): boolean {
  const hasSpaces = (one: string) => /\s/.test(one)
  const hasDigits = (one: string) => /\d/.test(one)
  if (others.length === 0) return false
  if (hasSpaces(text) && !others.some((other) => hasSpaces(other.text))) return true
  return !hasDigits(text) && others.length > 1 && others.every((other) => hasDigits(other.text))
}
