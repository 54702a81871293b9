import { statSync } from 'node:fs'
import { readText, recordsFrom } from '../input-file.ts'
import type { Table } from '../rows/table.ts'
import { resultColumns } from '../rows/table.ts'
import type { Place, Reason, ResultKind } from '../types.ts'
import { writeOrExplain } from '../write-or-explain.ts'
import { RecordCopy } from './record-copy.ts'
import type { ResultFolder } from './result-folder.ts'
import { StagedFile } from './staged-file.ts'

interface Content {
  file: StagedFile
  copy: RecordCopy
}

/** A file with rejected or unknown rows: the original columns byte for byte, and the reason. */
export class ResultWriter {
  /** Path of the saved file. Undefined before the file is saved, and for a file without rows. */
  path: string | undefined
  rows = 0
  private readonly name: ResultKind
  private readonly table: Table
  /** The file is created for the first row, because most result files stay empty. */
  private content: Content | undefined
  private newline = '\n'

  constructor(name: ResultKind, table: Table) {
    this.name = name
    this.table = table
  }

  /** Copies the record at `place.offset`. If each lookup key has its own column, copies only the cells of `lookupKeys` (default: all). */
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
    this.content ??= this.start()
    const { file, copy } = this.content
    const onlyKeys = this.table.layout.form === 'wide' && lookupKeys ? new Set(lookupKeys) : undefined
    const column = joined(reasons.map((reason) => reason.column))
    const code = joined(reasons.map((reason) => reason.code))
    const message = joined(reasons.map((reason) => reason.message))
    const { json } = this.table
    if (json) file.add(json.resultLine(raw, [line, column, code, message], onlyKeys))
    else {
      copy.copy(raw, file, onlyKeys)
      file.add(this.cells(copy, [String(line), column, code, message]))
    }
    file.add(this.newline)
    this.rows++
  }

  /** Saves the file if it has rows. Until the import is finished, its next run may replace the file. */
  saveIn(folder: ResultFolder): void {
    if (!this.content || !folder.isUsed) return
    const { file } = this.content
    this.path = folder.save(file, { name: this.name, format: this.table.format })
    file.discard()
  }

  /**
   * Saves the file if it has rows. Writes to a device or a pipe instead of replacing it. If no process reads the pipe, waits until one does
   * or until the signal is aborted.
   */
  async saveAs(path: string, signal: AbortSignal): Promise<void> {
    if (!this.content) return
    const { file } = this.content
    await writeOrExplain(path, async () => {
      const isReplaced = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
      if (isReplaced) file.saveAs(path)
      else await file.writeTo(path, signal)
    })
    this.path = path
    file.discard()
  }

  discard(): void {
    this.rows = 0
    this.content?.file.discard()
    this.content = undefined
  }

  /** Writes the bytes that come before the data rows of the input, and detects its newline. */
  private start(): Content {
    const { input, header, format, layout, dialect } = this.table
    const { start, end, encoding, sheet } = input
    const file = new StagedFile()
    const copy = new RecordCopy(dialect, layout, sheet === undefined ? 0 : layout.names.length)
    if (!header && format !== 'jsonl')
      file.add(`${layout.names.join()}${this.cells(copy, resultColumns)}${this.newline}`)
    if (!header) return { file, copy }
    const bytes = Buffer.alloc(Math.min(header.to + 2, end) - start)
    readText(input, bytes, start)
    const newline = bytes.toString('latin1', header.to - start)
    if (newline.startsWith('\r')) this.newline = newline === '\r\n' ? '\r\n' : '\r'
    if (encoding !== 'UTF-8') file.add('\ufeff')
    file.add(bytes.subarray(0, header.from - start))
    copy.copy(bytes.subarray(header.from - start, header.to - start), file)
    file.add(this.cells(copy, resultColumns))
    file.add(this.newline)
    return { file, copy }
  }

  private cells(copy: RecordCopy, texts: readonly string[]): string {
    const separator = this.table.delimiter?.character ?? ''
    return texts.map((text) => separator + copy.encode(text)).join('')
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
