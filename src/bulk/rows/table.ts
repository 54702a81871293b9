import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/shell-quote.ts'
import { type InputFile, nulInput, readText } from '../open-input.ts'
import { type Dialect, RecordScanner } from '../scan/scanner.ts'
import type { Plan } from '../schemas.ts'
import type { ImportSettings } from '../types.ts'
import { parseLine } from './json-line.ts'
import { answerColumns, delimiterOf, isOther, type Layout, layoutOf, renamed } from './layout.ts'
import type { IdRules } from './user-ids.ts'

/** An input, and how to read it: determined from its first record. */
export interface Table {
  input: InputFile
  /** Maps a column name in the file to the name that replaces it. */
  map: Readonly<Record<string, string>>
  format: Plan['format']
  delimiter: Plan['delimiter']
  dialect: Dialect
  layout: Layout
  ids: IdRules
  /** Start of the data rows. */
  data: { offset: number; line: number }
  /** Bytes of the header, for the result files. */
  header: { from: number; to: number } | undefined
}

interface Position {
  offset: number
  line: number
}

const idColumns = answerColumns.slice(0, 2)

/** Limit for the search for a line that shows the form. */
const maxLinesForForm = 1000

const delimiters = [',', ';', '\t', '|']

type ReadSettings = Partial<ImportSettings> & {
  /** Whether damaged IDs are refused in a list. */
  checksIds?: boolean
}

/** A list of users can have any other columns (default: answers to import). */
export function openTable(
  input: InputFile,
  settings: ReadSettings,
  knownKeys: readonly string[] = [],
  isList = false,
): Table {
  const { map = {} } = settings
  const raw = firstRecord(input, { quotes: false }, { offset: input.start, line: 1 })
  if (!raw) throw emptyInput(input)
  const first = raw.record.toString()
  const { offset, line, following } = raw
  const place = { offset, line }
  if (isJson(input.name, first)) {
    const layout = isList ? layoutOf(idColumns, {}, true) : layoutOf(answerColumns)
    const form = isList ? layout.form : jsonForm(input, place, map)
    return { ...jsonTable(input, map, place, { ...layout, form }), ids: idRules(settings, isList) }
  }
  if (/^\s*\[\s*(\{|$)/.test(first)) throw jsonArrayError(input)
  const sep = /^"?sep=(.)"?$/i.exec(first)?.[1]
  const header = headerOf(input, sep === undefined ? place : following, settings, knownKeys, sep)
  const { character, names, dialect } = header
  return {
    input,
    map,
    format: character === '\t' ? 'tsv' : 'csv',
    delimiter: { character, from: settings.delimiter !== undefined ? 'option' : sep ? 'sep line' : 'header' },
    dialect,
    layout: layoutOf(names, map, isList, knownKeys),
    ids: idRules(settings, isList),
    data: header.following,
    header: header.span,
  }
}

/** Reads the header with the delimiter that results in the most known column names. */
function headerOf(
  input: InputFile,
  start: Position,
  settings: ReadSettings,
  knownKeys: readonly string[],
  sep?: string,
) {
  const wanted = new Set<string>([...answerColumns, ...knownKeys, ...Object.keys(settings.map ?? {})])
  const { delimiter = sep } = settings
  const from = settings.delimiter === undefined ? 'the "sep=" line' : '--delimiter'
  const candidates = delimiter === undefined ? delimiters : [delimiterFrom(from, delimiter)]
  const headers = candidates.map((character) => headerWith(input, character, start))
  const score = ({ names, fault }: Header) =>
    fault ? -1 : names.filter((name) => wanted.has(name.trim())).length
  const header = headers.reduce((best, other) => (score(other) > score(best) ? other : best))
  if (header.fault) throw new UsageError(`${input.name}: the header ${header.fault}`)
  return header
}

/** Returns undefined at the end. Reads no more than necessary. */
export function firstRecord(input: InputFile, dialect: Dialect, from: Position) {
  const scanner = new RecordScanner(dialect, from)
  let position = from.offset
  for (let size = 4096; ; size *= 2) {
    while (scanner.next()) {
      if (scanner.nulAt >= 0) throw nulInput(input, scanner.nulAt)
      if (scanner.start !== scanner.end) return scanner
    }
    if (position >= input.end) return undefined
    const chunk = Buffer.allocUnsafe(Math.min(size, input.end - position))
    const count = readText(input, chunk, position)
    position += count
    scanner.push(chunk.subarray(0, count))
    if (position >= input.end) scanner.finish()
  }
}

type Header = ReturnType<typeof headerWith>

function headerWith(input: InputFile, character: string, start: Position) {
  const dialect = { delimiter: character.charCodeAt(0), quotes: true }
  const record = firstRecord(input, dialect, start)
  if (!record) throw emptyInput(input)
  const { bytes, count, starts, ends } = record.cells
  const isText = isUtf8(record.record)
  const quoting = record.fault === 'record_too_long' ? 'does not end within 1 MiB' : 'has a misplaced quote'
  const fault = record.fault ? quoting : isText ? undefined : 'is not UTF-8'
  const names = Array.from({ length: count }, (_, index) =>
    bytes.toString('utf8', starts[index], ends[index]).replaceAll('""', '"'),
  )
  const span = { from: record.offset, to: record.offset + record.end - record.start }
  return { character, names, fault, dialect, span, following: record.following }
}

/** Answers are always checked; a list is checked if its rows change users. */
export function idRules({ ids, checksIds }: ReadSettings, isList: boolean): IdRules {
  return { isExact: ids === 'exact', isChecked: checksIds ?? !isList }
}

function jsonTable(input: InputFile, map: Table['map'], data: Position, layout: Layout): Omit<Table, 'ids'> {
  return {
    input,
    map,
    format: 'jsonl',
    delimiter: undefined,
    dialect: { quotes: false },
    layout,
    data,
    header: undefined,
  }
}

/** Skips invalid lines, and lines that contain only a user. */
function jsonForm(input: InputFile, data: Position, map: Table['map']): Layout['form'] {
  let from = data
  for (let looked = 0; looked < maxLinesForForm; looked++) {
    const record = firstRecord(input, { quotes: false }, from)
    if (!record || record.fault) break
    const parsed = parseLine(record.record)
    const members = 'members' in parsed ? parsed.members : []
    const keys = members.map(({ name }) => renamed(name, map))
    if (keys.includes('lookup_key') || keys.includes('value')) return 'long'
    if (keys.some((key) => isOther(key))) return 'wide'
    from = record.following
  }
  return 'long'
}

function isJson(name: string, first: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name) || first.trimStart().startsWith('{')
}

function delimiterFrom(source: string, text: string): string {
  const character = delimiterOf(text)
  if (character !== undefined) return character
  throw new UsageError(`${source} must be one ASCII character or "tab", got "${text}"`)
}

function jsonArrayError(input: InputFile): UsageError {
  return new UsageError(`${input.name} is a JSON array; one JSON object per line is required`, {
    hint: `Convert it: jq -c '.[]'${input.path === undefined ? '' : ` ${quoteWord(input.name)} > answers.jsonl`}`,
  })
}

function emptyInput(input: InputFile): UsageError {
  return new UsageError(`${input.name} is empty`)
}
