import { crc32, deflateRawSync } from 'node:zlib'

/** Content of a workbook. `rows` of a sheet is XML. `others` contains other parts of the file, by path. */
export interface WorkbookParts {
  sheets: readonly { name?: string; state?: string; head?: string; columns?: string; rows: string }[]
  strings?: readonly string[]
  /** Format codes of the styles 1, 2, … */
  formats?: readonly string[]
  has1904Dates?: boolean
  others?: Readonly<Record<string, string | Buffer>>
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The bytes of an .xlsx file with exactly this content. */
export function workbook(
  { sheets, strings = [], formats = [], has1904Dates, others = {} }: WorkbookParts,
  options: ZipOptions = {},
): Buffer {
  const tags = sheets.map(
    ({ name = `Sheet${sheets.length}`, state = 'visible' }, n) =>
      `<sheet name="${name}" sheetId="${n + 1}" state="${state}" r:id="rId${n + 1}"/>`,
  )
  const links = sheets.map(
    (_, n) =>
      `<Relationship Id="rId${n + 1}" Type="${related}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
  )
  const codes = formats.map(
    (code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  )
  const styles = ['0', ...formats.map((_, n) => String(164 + n))].map(
    (id) => `<xf numFmtId="${id}" fontId="0"/>`,
  )
  const parts: Record<string, string | Buffer> = {
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${related}"><workbookPr date1904="${has1904Dates ? 1 : 0}"/><sheets>${tags.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships>${links.join('')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst ${main}>${strings.join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ head: start = head, columns = '', rows }, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `${start}<worksheet ${main}>${columns}<sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...others,
  }
  return zip(parts, options)
}

/** The XML of rows. A cell is inline text, or XML if it starts with `<`. */
export function rowsOf(
  rows: readonly (readonly string[])[],
  attributes: Readonly<Record<number, string>> = {},
): string {
  return rows
    .map((cells, n) => {
      const written = cells.map((cell, at) => {
        const place = `${String.fromCharCode(65 + at)}${n + 1}`
        if (cell.startsWith('<')) return cell.replace('<c', `<c r="${place}"`)
        return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`
      })
      return `<row r="${n + 1}" ${attributes[n + 1] ?? ''}>${written.join('')}</row>`
    })
    .join('')
}

interface ZipOptions {
  isStored?: boolean
  /** Extra field of the local headers and of the table of contents. In the table of contents, it is also the comment of each entry. */
  extra?: string
  comment?: string
}

export function zip(
  files: Readonly<Record<string, string | Buffer>>,
  { isStored = false, extra = '', comment = '' }: ZipOptions = {},
): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string)
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isStored ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    facts.writeUInt16LE(extra.length, 24)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name + extra), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt16LE(extra.length, 0)
    tail.writeUInt32LE(position, 10)
    const start = Buffer.from('PK\x01\x02\x14\0', 'latin1')
    directory.push(Buffer.concat([start, facts, tail, Buffer.from(name + extra + extra)]))
    bodies.push(local)
    position += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(position, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...bodies, ...directory, end, Buffer.from(comment)])
}
