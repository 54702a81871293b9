import { createHash } from 'node:crypto'
import { UsageError } from '../../base/errors.ts'
import { countOf } from '../../base/text/count.ts'
import { chunksOf } from '../decode.ts'
import type { InputFile } from '../input-file.ts'
import { ScratchFile } from '../spool/scratch.ts'
import type { Reading } from '../types.ts'
import { readSheet, type SheetRow } from './sheet-rows.ts'
import { chooseSheet, openWorkbook } from './workbook.ts'
import { tooLarge } from './zip.ts'

const bufferCharacters = 256 * 1024
const maxTextBytes = 1024 * 1024 * 1024

/** Copies a sheet as UTF-8 CSV in which each row is on the line with its number, and closes the workbook. */
export async function convertWorkbook(
  raw: InputFile,
  reading: Pick<Reading, 'sheet' | 'hidden'>,
): Promise<InputFile> {
  const workbook = await openWorkbook(raw)
  const sheet = chooseSheet(raw, workbook, reading)
  const { rows, isHiddenColumn } = readSheet(raw, sheet.entry, workbook)
  const copy = new ScratchFile()
  try {
    const writer = new RowWriter(raw, copy)
    const found = { hiddenRows: 0, hiddenColumns: new Set<number>() }
    for await (const row of rows) {
      const isFilled = row.cells.some((cell) => cell !== '')
      const hidden = row.cells.flatMap((cell, column) =>
        cell !== '' && isHiddenColumn(column) ? [column] : [],
      )
      if (row.isHidden && isFilled) found.hiddenRows++
      for (const column of hidden) found.hiddenColumns.add(column)
      if (row.isHidden && reading.hidden === 'skip') continue
      if (reading.hidden === 'skip') for (const column of hidden) row.cells[column] = ''
      writer.write(row)
    }
    writer.flush()
    if (reading.hidden === undefined)
      refuseHidden(raw, sheet.name, found.hiddenRows, found.hiddenColumns.size)
    const identity = raw.identity ?? identityOf(raw)
    raw.close()
    return {
      ...raw,
      fd: copy.fd,
      start: 0,
      end: copy.length,
      encoding: 'UTF-8',
      sheet: `${sheet.name}, ${writer.range}`,
      identity,
      modifiedMs: undefined,
      close: () => copy.close(),
    }
  } catch (error) {
    copy.close()
    throw error
  }
}

function refuseHidden({ name }: InputFile, sheet: string, rows: number, columns: number): void {
  const found = [
    ...(rows > 0 ? [countOf(rows, 'hidden row')] : []),
    ...(columns > 0 ? [countOf(columns, 'hidden column')] : []),
  ]
  if (found.length === 0) return
  throw new UsageError(`sheet "${sheet}" of ${name} has ${found.join(' and ')}; nothing was sent`, {
    hint: 'Read everything with --hidden include, or only what is visible with --hidden skip.',
  })
}

function identityOf(raw: InputFile): { sha256: string; bytes: number } {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(raw)) hash.update(chunk)
  return { sha256: hash.digest('hex'), bytes: raw.end }
}

class RowWriter {
  private readonly raw: InputFile
  private readonly copy: ScratchFile
  private text = ''
  private line = 1
  private firstLine = 0
  private width = 0

  constructor(raw: InputFile, copy: ScratchFile) {
    this.raw = raw
    this.copy = copy
  }

  get range(): string {
    return `rows ${this.firstLine} to ${this.line - 1}, ${countOf(this.width, 'column')}`
  }

  write({ number, cells }: SheetRow): void {
    this.text += '\n'.repeat(number - this.line)
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
    this.text += `${filled.map(quoted).join(',')}\n`
    this.line = number + 1
    if (filled.length > 0) this.firstLine ||= number
    this.width = Math.max(this.width, filled.length)
    if (this.text.length > bufferCharacters) this.flush()
  }

  flush(): void {
    this.copy.write(Buffer.from(this.text))
    this.text = ''
    if (this.copy.length > maxTextBytes) throw tooLarge(this.raw)
  }
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
