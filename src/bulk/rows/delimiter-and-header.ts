import { UsageError } from '../../base/errors.ts'
import { hideKeysIn } from '../../base/mask.ts'
import type { InputFile } from '../input-file.ts'
import { type Question, UnclearFile } from '../questions.ts'
import { trimmedText } from '../scan/cells.ts'
import { dialectOf, type Position } from '../scan/scanner.ts'
import { isUserField, readAsOf } from './column-names.ts'
import { delimiterOf } from './flag-values.ts'
import { filledIn, isBlank, type SampleRecord, sampleOf } from './sample.ts'
import { emptyInput, type TableRules } from './table.ts'

const delimiters = [',', ';', '\t', '|']
/** Delimiters that are used only if a flag names them. A prompt can suggest them. */
const otherDelimiters = [...'^~:!/# ']

/** The table that results from one delimiter. */
interface Candidate {
  character: string
  records: readonly SampleRecord[]
  /** Index of the header in `records`. */
  at: number
  hasUser: boolean
  /** Whether all rows of the sample have as many cells as the header, and the header has at least two cells. */
  isRegular: boolean
}

/** Finds the delimiter and the header from the structure of the first records. */
export function findDelimiterAndHeader(input: InputFile, start: Position, rules: TableRules, sep?: string) {
  const chosen = findTable(input, start, rules, sep)
  const { character, records } = chosen
  const later = laterHeader(chosen, rules)
  const at = later ?? chosen.at
  const record = records[at]
  if (!record || isBlank(record.cells)) throw emptyInput(input)
  refuseFault(input, record)
  const rows = records.slice(at + 1).flatMap(({ cells }) => (isBlank(cells) ? [] : [cells]))
  const first = records[chosen.at]
  const questions = later === undefined || !first ? [] : [headerQuestion(first, record)]
  return { character, dialect: dialectOf(character), rows, questions, titleLines: at, header: record }
}

function headerQuestion(first: SampleRecord, later: SampleRecord): Question {
  const { line } = later.start
  const choices = [later, first].map((one) => ({ name: shown(one), set: { headerLine: one.start.line } }))
  return {
    problem: `the header is probably on line ${line}, because line ${first.start.line} has no user column`,
    suggested: { headerLine: line },
    prompts: [{ label: 'Header', choices }],
  }
}

function findTable(input: InputFile, start: Position, rules: TableRules, sep?: string): Candidate {
  const { delimiter = input.sheet === undefined ? sep : ',' } = rules
  const character = delimiter === undefined ? '' : delimiterOf(delimiter)
  const from = rules.delimiter === undefined ? 'the "sep=" line' : '--delimiter'
  if (character === undefined)
    throw new UsageError(`${from} must be one ASCII character or "tab", got "${delimiter}"`)
  const candidatesWith = (characters: readonly string[]) =>
    characters.map((character) => candidateWith(input, character, start, rules))
  const chosen = choose(input, candidatesWith(delimiter === undefined ? delimiters : [character]))
  const isCertain = rules.delimiter !== undefined || input.sheet !== undefined || chosen.hasUser
  const lines = chosen.records.slice(chosen.at).map(({ cells }) => cells)
  if (isCertain || lines.length === 0 || lines.some(({ length }) => length > 1)) return chosen
  // With the likely delimiter, the table has only one column, and this column contains no users. Quotation marks around each line or a
  // wrong delimiter can be the cause.
  const inside = delimiters.filter((character) => lines.every(([cell]) => cell?.includes(character)))
  if (inside.length > 0 && sep !== undefined) return findTable(input, start, rules)
  if (inside.length > 0)
    throw new UsageError(`${input.name}: quotation marks enclose each complete line`, {
      hint: 'Export the file again, without quotation marks around complete lines.',
    })
  const named = candidatesWith(otherDelimiters).filter(({ hasUser, isRegular }) => hasUser && isRegular)
  if (named.length > 0) throw unclearDelimiter(input, named)
  return chosen
}

function choose(input: InputFile, candidates: readonly Candidate[]): Candidate {
  const regular = candidates.filter(({ isRegular }) => isRegular)
  const named = candidates.filter(({ hasUser }) => hasUser)
  const both = regular.filter(({ hasUser }) => hasUser)
  // Chooses one of the possible tables. These groups are tried in order: regular tables with a user column, the widest tables with a user
  // column, and the regular tables with the fewest lines above the header. The first group with exactly one table decides.
  const groups = both.length > 0 ? [both] : [bestBy(named, widthOf), bestBy(regular, ({ at }) => -at)]
  const certain = groups.find(({ length }) => length === 1)
  const several = certain ?? candidates.filter((candidate) => widthOf(candidate) > 1)
  if (several.length > 1) throw unclearDelimiter(input, several)
  const chosen = several[0] ?? candidates[0]
  if (!chosen) throw emptyInput(input)
  return chosen
}

function widthOf({ records, at }: Candidate): number {
  return records[at]?.cells.length ?? 0
}

function bestBy(candidates: readonly Candidate[], score: (candidate: Candidate) => number): Candidate[] {
  const best = Math.max(...candidates.map(score))
  return candidates.filter((candidate) => score(candidate) === best)
}

function unclearDelimiter({ name }: InputFile, candidates: readonly Candidate[]): UnclearFile {
  const choices = candidates.flatMap(({ character, records, at }) => {
    const header = records[at]
    return header ? [{ name: shown(header), set: { delimiter: character } }] : []
  })
  const [only] = choices
  return new UnclearFile(name, [
    {
      problem: 'the delimiter is not clear',
      ...(only && choices.length === 1 && { suggested: only.set }),
      prompts: [{ label: 'Columns', choices }],
    },
  ])
}

function shown({ cells, start: { line } }: SampleRecord): string {
  return `line ${line}: ${hideKeysIn(cells.map(trimmedText).join(' | ')).slice(0, 60)}`
}

function candidateWith(input: InputFile, character: string, start: Position, rules: TableRules): Candidate {
  const records = sampleOf(input, dialectOf(character), start)
  const at = headerIn(input, records, rules)
  const header = records[at]?.cells ?? []
  const rows = records.slice(at + 1).filter(({ cells, fault }) => fault === undefined && !isBlank(cells))
  return {
    character,
    records,
    at,
    hasUser: header.some((name) => isUserName(name, rules)),
    isRegular: header.length > 1 && rows.every(({ cells }) => isWidth(cells, header.length)),
  }
}

/** Whether a row has the width of the header. Rows can end with additional delimiters. */
function isWidth(cells: readonly string[], width: number): boolean {
  return cells.length === width || (cells.length > width && isBlank(cells.slice(width)))
}

/** Finds the header. Skips empty lines and, if the table has several columns, lines with one cell. */
function headerIn(input: InputFile, records: readonly SampleRecord[], rules: TableRules): number {
  if (rules.headerLine !== undefined) {
    const at = records.findIndex(({ start: { line } }) => line === rules.headerLine)
    if (at >= 0) return at
    throw new UsageError(`--header-line ${rules.headerLine}: no row of ${input.name} starts on this line`)
  }
  const isTable = records.some(({ cells }) => filledIn(cells) > 1)
  const isHeader = ({ cells }: SampleRecord) =>
    filledIn(cells) > (isTable ? 1 : 0) ||
    (filledIn(cells) === 1 && cells.some((name) => isUserName(name, rules)))
  return Math.max(0, records.findIndex(isHeader))
}

function isUserName(name: string, rules: TableRules): boolean {
  return isUserField(readAsOf(name, rules))
}

/** Finds a header below lines that look like titles. The header names a user column, or has the most filled cells. */
function laterHeader({ records, at, hasUser }: Candidate, rules: TableRules): number | undefined {
  if (hasUser || rules.headerLine !== undefined) return undefined
  const isNamed = records.findIndex(({ cells }) => cells.some((name) => isUserName(name, rules)))
  if (isNamed >= 0) return isNamed
  const most = Math.max(...records.map(({ cells }) => filledIn(cells)))
  const fullest = records.findIndex(({ cells }) => filledIn(cells) === most)
  const isTitle = filledIn(records[at]?.cells ?? []) * 2 <= most
  return isTitle ? fullest : undefined
}

/** Characters that some programs write at the end of lines instead of a line feed. */
const otherNewline = /[\v\f\x1c-\x1e\x85\u2028\u2029]/

function refuseFault({ name }: InputFile, { fault, isText, cells }: SampleRecord): void {
  const [newline] = otherNewline.exec(cells.join('')) ?? []
  if (newline !== undefined) {
    const code = newline.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    throw new UsageError(`${name}: the lines end with U+${code} instead of a line feed`, {
      hint: 'Export the file again as CSV (UTF-8).',
    })
  }
  if (fault === undefined && isText) return
  const quoting = fault === 'record_too_long' ? 'does not end within 1 MiB' : 'has a misplaced quote'
  throw new UsageError(`${name}: the header ${fault ? quoting : 'is not UTF-8'}`, {
    hint: 'Export the file again as CSV (UTF-8).',
  })
}
