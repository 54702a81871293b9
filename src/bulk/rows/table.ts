import type { InputFile } from '../input-file.ts'
import type { Question } from '../questions.ts'
import type { Dialect } from '../scan/scanner.ts'
import type { Plan } from '../schemas.ts'
import type { JsonFormat } from './json-table.ts'
import type { IdRules, Layout, Position, TableRules } from './layout.ts'

/** An input and how its rows are read, as determined from the first records. */
export interface Table {
  input: InputFile
  rules: TableRules
  format: Plan['format']
  delimiter: Plan['delimiter']
  dialect: Dialect
  layout: Layout
  ids: IdRules
  /** How lines of JSON are read. Undefined for other files. */
  json?: JsonFormat | undefined
  /** Questions about the header. */
  questions: readonly Question[]
  /** Number of lines above the header. */
  titleLines: number
  /** Position of the first data row. */
  data: Position
  /** Position of the header, for the result files. */
  header: { from: number; to: number } | undefined
}

/** Whether a name shows that the file contains lines of JSON. */
export function isJsonName(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name)
}
