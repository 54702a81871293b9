import { statSync } from 'node:fs'
import { readText, recordsFrom } from '../input-file.ts'
import type { Table } from '../rows/table.ts'
import { resultColumns } from '../rows/table.ts'
import type { Place, Reason, ResultKind } from '../types.ts'
import { writeOrExplain } from '../write-or-explain.ts'
import { RecordCopy } from './record-copy.ts'
import type { ResultFolder } from './result-folder.ts'
import { StagedFile } from './staged-file.ts'

/** A file with rejected or unknown rows: the original columns byte for byte, and the reason. */
export class ResultWriter {
  /** Path of the saved file. Undefined until the file is saved, and for a file without rows. */
  path: string | undefined
  rows = 0
  private readonly name: ResultKind
  private readonly table: Table
  private readonly file = new StagedFile()
  private readonly copy: RecordCopy
  private newline = '\n'

  constructor(name: ResultKind, table: Table) {
    this.name = name
    this.table = table
    this.copy = new RecordCopy(
      table.dialect,
      table.layout,
      table.input.sheet === undefined ? 0 : table.layout.names.length,
    )
  }

  /** Copies the record at `place.offset`. If each lookup key has its own column, only the cells of `lookupKeys` are copied (default: all). */
  add(
    place: Pick<Place, 'line' | 'offset'>,
    reasons: readonly Reason[],
    lookupKeys?: readonly string[],
  ): void {
    const { input, dialect } = this.table
    const [record] = recordsFrom(input, dialect, place)
    if (!record) throw new Error(`no record at byte ${place.offset}`)
    this.addRecord(record.record, place.line, reasons, lookupKeys)
  }

  addRecord(raw: Buffer, line: number, reasons: readonly Reason[], lookupKeys?: readonly string[]): void {
    if (this.rows === 0) this.writeHeader()
    const onlyKeys = this.table.layout.form === 'wide' && lookupKeys ? new Set(lookupKeys) : undefined
    const column = joined(reasons.map((reason) => reason.column))
    const code = joined(reasons.map((reason) => reason.code))
    const message = joined(reasons.map((reason) => reason.message))
    const { json } = this.table
    if (json) this.file.add(json.resultLine(raw, [line, column, code, message], onlyKeys))
    else {
      this.copy.copy(raw, this.file, onlyKeys)
      this.file.add(this.cells([String(line), column, code, message]))
    }
    this.file.add(this.newline)
    this.rows++
  }

  /** Saves the file if it has rows. Until the import is finished, its next run may replace the file. */
  saveIn(folder: ResultFolder): void {
    if (this.rows === 0 || !folder.isUsed) return
    this.path = folder.save(this.file, { name: this.name, format: this.table.format })
    this.file.discard()
  }

  /**
   * Saves the file at this path if it has rows. Writes to a device such as /dev/null instead of replacing it. Waits for the reader of a
   * pipe until the signal is aborted.
   */
  async saveAs(path: string, signal: AbortSignal): Promise<void> {
    if (this.rows === 0) return
    await writeOrExplain(path, async () => {
      const isReplaced = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
      if (isReplaced) this.file.saveAs(path)
      else await this.file.writeTo(path, signal)
    })
    this.path = path
    this.file.discard()
  }

  discard(): void {
    this.rows = 0
    this.file.discard()
  }

  /** Writes the bytes before the data rows and detects the newline of the input. */
  private writeHeader(): void {
    const { input, header, format, layout } = this.table
    if (!header && format === 'jsonl') return
    if (!header) {
      this.file.add(`${layout.names.join()}${this.cells(resultColumns)}${this.newline}`)
      return
    }
    const { start, end, encoding } = input
    const bytes = Buffer.alloc(Math.min(header.to + 2, end) - start)
    readText(input, bytes, start)
    const newline = bytes.toString('latin1', header.to - start)
    if (newline.startsWith('\r')) this.newline = newline === '\r\n' ? '\r\n' : '\r'
    if (encoding !== 'UTF-8') this.file.add('\ufeff')
    this.file.add(bytes.subarray(0, header.from - start))
    this.copy.copy(bytes.subarray(header.from - start, header.to - start), this.file)
    this.file.add(this.cells(resultColumns))
    this.file.add(this.newline)
  }

  private cells(texts: readonly string[]): string {
    const separator = this.table.delimiter?.character ?? ''
    return texts.map((text) => separator + this.copy.encode(text)).join('')
  }
}

/** Maximum number of reasons for a row, because a row can have thousands of invalid cells. */
const mostReasons = 10

function joined(texts: readonly (string | undefined)[]): string {
  if (texts.length === 1) return texts[0] ?? ''
  const different = [...new Set(texts.filter((text) => text !== undefined))]
  const more = different.length - mostReasons
  return [...different.slice(0, mostReasons), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
