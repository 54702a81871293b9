import { UsageError } from '../../base/errors.ts'
import type { InputFile } from '../input-file.ts'
import { UnclearFile } from '../questions.ts'
import { richText, type SheetContext } from './cell.ts'
import { readFormats } from './formats.ts'
import { attribute, decodeXml, elementsOf, firstElement, plainXml } from './xml.ts'
import { damaged, readDirectory, readElements, readSmallPart, tooLarge, type ZipEntry } from './zip.ts'

const maxPartCharacters = 32 * 1024 * 1024
/** Maximum length of a string. A cell contains at most 32,767 characters, but the markup for formatting makes the string longer. */
const maxStringCharacters = 4 * 1024 * 1024
/** Maximum total length of the texts in a workbook. They are limited, because all of them are kept in memory. */
const maxTextCharacters = 64 * 1024 * 1024

export interface Sheet {
  name: string
  isHidden: boolean
  entry: ZipEntry
}

export interface Workbook extends SheetContext {
  sheets: readonly Sheet[]
}

type Parts = ReadonlyMap<string, ZipEntry>

/** Reads everything except the rows. Refuses a workbook that contains a program or whose values depend on other files. */
export async function openWorkbook(input: InputFile): Promise<Workbook> {
  const parts = readDirectory(input)
  refuseOthers(input, parts)
  const small = async (path: string) => {
    const entry = parts.get(path.toLowerCase())
    return entry ? readSmallPart(input, entry, maxPartCharacters) : ''
  }
  const book = await small('xl/workbook.xml')
  const targets = targetsIn(await small('xl/_rels/workbook.xml.rels'))
  const sheets = [...elementsOf(book, 'sheet')].flatMap(({ attributes }) => {
    const id = /\b\w+:id\s*=\s*["']([^"']*)/.exec(attributes)?.[1] ?? ''
    const entry = parts.get((targets.get(id) ?? '').toLowerCase())
    if (!entry) return []
    const isHidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible'
    return [{ name: decodeXml(attribute(attributes, 'name') ?? ''), isHidden, entry }]
  })
  if (sheets.length === 0) throw damaged(input)
  const strings =
    [...targets.values()].find((path) => /sharedstrings\.xml$/i.test(path)) ?? 'xl/sharedStrings.xml'
  const styles = [...targets.values()].find((path) => /styles\.xml$/i.test(path)) ?? 'xl/styles.xml'
  return {
    sheets,
    has1904Dates: /^(?:1|true)$/.test(
      attribute(firstElement(book, 'workbookPr')?.attributes ?? '', 'date1904') ?? '',
    ),
    formats: readFormats(await small(styles)),
    strings: await readStrings(input, parts.get(strings.toLowerCase())),
  }
}

function refuseOthers(input: InputFile, parts: Parts): void {
  const names = [...parts.keys()]
  const refuse = (what: string, hint: string) => {
    throw new UsageError(`${input.name} ${what}`, { hint })
  }
  if (names.some((name) => name.endsWith('vbaproject.bin')))
    refuse(
      'contains macros',
      'Save the workbook as .xlsx, which has no macros, or save the sheet as CSV (UTF-8).',
    )
  if (names.some((name) => name.startsWith('xl/externallinks/')))
    refuse(
      'takes values from other workbooks',
      'Replace the links with their values, or save the sheet as CSV (UTF-8).',
    )
  const other = parts.has('content.xml') ? 'an OpenDocument' : parts.has('xl/workbook.bin') ? 'an .xlsb' : ''
  if (other !== '') refuse(`is ${other} file`, 'Save the sheet as .xlsx or as CSV (UTF-8).')
  if (!parts.has('xl/workbook.xml'))
    refuse(
      'is a ZIP archive, but not an .xlsx workbook',
      'Save the sheet as .xlsx or as CSV (UTF-8), or extract the file from the archive.',
    )
}

function targetsIn(links: string): Map<string, string> {
  const targets = new Map<string, string>()
  for (const { attributes } of elementsOf(links, 'Relationship')) {
    // A sheet with only a chart or a dialog has no cells, so it is skipped.
    if (/\/(?:chart|dialog)sheet$/.test(attribute(attributes, 'Type') ?? '')) continue
    const target = decodeXml(attribute(attributes, 'Target') ?? '')
    targets.set(attribute(attributes, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  return targets
}

async function readStrings(input: InputFile, entry: ZipEntry | undefined): Promise<string[]> {
  const strings: string[] = []
  if (!entry) return strings
  let total = 0
  for await (const { element } of readElements(input, entry, 'si', maxStringCharacters)) {
    if (!element) break
    const text = richText(plainXml(element.content ?? ''))
    total += text.length + 16
    strings.push(text)
    if (total > maxTextCharacters) throw tooLarge(input)
  }
  return strings
}

export function chooseSheet(
  input: InputFile,
  { sheets }: Workbook,
  { sheet, hidden }: { sheet?: string | undefined; hidden?: 'include' | 'skip' | undefined },
): Sheet {
  const listed = sheets.map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`).join(', ')
  const named = sheets.find(({ name }) => name === sheet)
  if (named) return named
  if (sheet !== undefined)
    throw new UsageError(`${input.name} has no sheet "${sheet}"; its sheets are ${listed}`)
  const visible = sheets.find(({ isHidden }) => !isHidden)
  const [first] = sheets
  const chosen = hidden === 'include' ? first : visible
  if (chosen && (!first?.isHidden || hidden !== undefined)) return chosen
  throw unclearSheet(input, sheets, `the first sheet is hidden; the sheets are ${listed}`)
}

export function unclearSheet({ name }: InputFile, sheets: readonly Sheet[], problem: string): UnclearFile {
  const choices = [...sheets]
    .sort((a, b) => Number(a.isHidden) - Number(b.isHidden))
    .map(({ name, isHidden }) => ({ name: isHidden ? `${name}, hidden` : name, set: { sheet: name } }))
  return new UnclearFile(name, [{ problem, prompts: [{ label: 'Sheet', choices }] }])
}
