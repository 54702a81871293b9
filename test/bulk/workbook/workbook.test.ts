import { describe, expect, it } from 'vitest'
import { rowsOf, workbook, zip } from '../../helpers/workbook.ts'
import { brief, check } from '../import-input.ts'

const header = ['external_user_id', 'lookup_key', 'value']
const sheetOf = (rows: readonly (readonly string[])[], others = {}) =>
  workbook({ sheets: [{ name: 'Data', rows: rowsOf([header, ...rows]), ...others }] })

const read = (content: Buffer, settings = {}) =>
  check(content, settings, { name: 'answers.xlsx', ...settings })

/** The XML part that contains a text, in an uncompressed workbook. */
function partOf(content: Buffer, text: string): string {
  const all = content.toString('latin1')
  const start = all.lastIndexOf('<?xml', all.indexOf(text))
  return all.slice(start, all.indexOf('PK', start))
}

const answersOf = async (content: Buffer, settings = {}) =>
  brief(await (await read(content, settings)).answers())

describe('the cells of a workbook', () => {
  it('an import reads texts with leading zeros, integers, and rich text from an Excel workbook', async () => {
    const strings = [
      '<si><t>0007</t></si>',
      '<si><r><t>wei</t></r><r><rPr/><t xml:space="preserve">ght</t></r><rPh><t>x</t></rPh></si>',
    ]
    const rows = [
      header,
      ['<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>', '<c><v>72</v></c>'],
      ['<c><v>1234567</v></c>', 'height', '<c t="str"><f>A1</f><v>180</v></c>'],
      ['é &<', 'height', '<c t="n" s="1"><f>90*2</f><v>1.81E2</v></c>'],
    ]
    const plain = workbook({ sheets: [{ rows: rowsOf(rows) }], strings, formats: ['0.00'] })
    const expected = ['0007 weight 72', '1234567 height 180', 'é &< height 181']
    const zone = 'Europe/Amsterdam'
    expect((await answersOf(plain)).sort()).toEqual(expected.map((line) => `${line} ${zone}`).sort())
    const prefixed = rowsOf(rows).replace(/<(\/?)(row|c|v|is|t|f)\b/g, '<$1x:$2')
    const other = workbook({ sheets: [{ rows: prefixed }], strings, formats: ['0.00'] })
    expect((await answersOf(other)).sort()).toEqual(expected.map((line) => `${line} ${zone}`).sort())
  })

  it('in a workbook, an import reads CDATA and values with a unit, and skips XML comments', async () => {
    const rows = rowsOf([
      header,
      ['<c t="inlineStr"><is><t>a<![CDATA[<&]]></t></is></c>', 'height', '<c s="1"><v>181</v></c>'],
      ['<c t="inlineStr"><is><t>b<!-- x --></t></is></c>', 'height', '<c><v>72</v></c>'],
    ])
    const found = await answersOf(workbook({ sheets: [{ rows }], formats: ['0\\ "cm"'] }))
    expect(found).toEqual(['a<& height 181 Europe/Amsterdam', 'b height 72 Europe/Amsterdam'])
  })

  it.each([
    ['a cell', /t="s"/, 't="s'],
    ['a cell', / r="B2"/, " r='B2"],
    ['a row', /<row r="2"/, '<row r="2'],
    ['a row without other attributes', /<row r="2" >/, '<row r="2>'],
    ['the start tag of a text', /<t xml:space="preserve"/, '<t xml:space="preserve'],
  ])(
    'a workbook is refused as damaged if an attribute of %s has no closing quotation mark (%s → %s)',
    async (_, mark, broken) => {
      const cells = [header, ['a', '<c t="s"><v>0</v></c>', '<c><v>72</v></c>'], ['b', 'height', '180']]
      const rows = rowsOf(cells).replace(mark, broken)
      const content = workbook({ sheets: [{ rows }], strings: ['<si><t>weight</t></si>'] })
      await expect(read(content)).rejects.toThrow('damaged workbook')
    },
  )

  it.each([
    ['the sheets', 'xl/workbook.xml', 'sheetId="1"'],
    ['the formats', 'xl/styles.xml', 'numFmtId="164"'],
    ['the links', 'xl/_rels/workbook.xml.rels', 'Id="rId1"'],
  ])(
    'a workbook is refused as damaged if an attribute in the part for %s has no closing quotation mark',
    async (_, part, attribute) => {
      const parts = { sheets: [{ rows: rowsOf([header, ['a', 'height', '180']]) }], formats: ['0'] }
      const others = {
        [part]: partOf(workbook(parts, { isStored: true }), attribute).replace(
          attribute,
          attribute.slice(0, -1),
        ),
      }
      await expect(read(workbook({ ...parts, others }))).rejects.toThrow('damaged workbook')
    },
  )

  it.each([';', '\t'])('a cell of a workbook is not split at the character %j', async (character) => {
    const rows = [header, ['a', 'height', '180']].map((cells) => [cells.join(character)])
    await expect(read(workbook({ sheets: [{ rows: rowsOf(rows) }] }))).rejects.toMatchObject({ exitCode: 2 })
  })

  it.each([
    ['a date', '<c s="1"><v>29293</v></c>'],
    ['a number that is shown with zeros', '<c s="2"><v>102</v></c>'],
    ['a number with decimals that is shown with zeros', '<c s="2"><v>102.5</v></c>'],
    ['a negative number that is shown with zeros', '<c s="2"><v>-102</v></c>'],
    ['a number with 16 digits', '<c><v>1234567890123456</v></c>'],
    ['a number that is shown with text', '<c s="3"><v>102</v></c>'],
    ['a number that is shown with signs between the digits', '<c s="4"><v>123456789</v></c>'],
    ['a currency', '<c s="5"><v>102</v></c>'],
    ['a number with decimals', '<c><v>102.5</v></c>'],
    ['a boolean', '<c t="b"><v>1</v></c>'],
    ['an error', '<c t="e"><v>#N/A</v></c>'],
    ['a formula without a result', '<c><f>VLOOKUP(1)</f></c>'],
    ['the number of rows in a row of totals', '<c><f>SUBTOTAL(103,T[id])</f><v>2</v></c>'],
    ['a text with a line break', '<c t="inlineStr"><is><t>A5_x000D_\nB</t></is></c>'],
  ])('an import rejects a row of a workbook whose user ID is %s', async (_, cell) => {
    const content = workbook({
      sheets: [{ rows: rowsOf([header, [cell, 'height', '<c><v>1</v></c>'], ['b', 'height', '2']]) }],
      formats: ['dd\\-mm\\-yyyy', '000000', '"E"0', '000\\-00\\-0000', '[$€-407]\\ #,##0'],
    })
    const { plan } = await read(content)
    expect(plan.problems).toMatchObject([{ line: 2, code: 'user_damaged' }])
    expect(plan.answers).toBe(1)
  })

  it.each([
    ['percent', '<c s="1"><v>0.5</v></c>', 'got "50%"'],
    ['a time', '<c s="2"><v>0.5</v></c>', 'got "1899-12-31 12:00:00"'],
    ['a date', '<c s="3"><v>29293</v></c>', 'got "1980-03-13"'],
    ['a fraction', '<c s="4"><v>72</v></c>', 'got "72 (shown as a fraction)"'],
    ['a number that is shown in pounds', '<c s="5"><v>160</v></c>', 'got "160 lb"'],
    ['a number that is shown in pounds with escaped letters', '<c s="7"><v>160</v></c>', 'got "160 lb"'],
    ['a number with the general format and a unit', '<c s="8"><v>160</v></c>', 'got "160 lb"'],
    ['a number with a literal percent sign', '<c s="9"><v>72</v></c>', 'got "72 %"'],
    ['a number that is not displayed', '<c s="10"><v>72</v></c>', 'got "72 (not displayed)"'],
    ['a number with an unknown format', '<c s="6"><v>160</v></c>', 'got "160 (unknown format)"'],
    ['a number with decimals', '<c><v>72.5</v></c>', 'got "72.5"'],
    ['an error', '<c t="e"><v>#REF!</v></c>', 'got "#REF!"'],
    ['a formula without a result', '<c><f>A1</f></c>', 'got "#NO RESULT'],
  ])('an import rejects a row of a workbook whose answer is %s', async (_, cell, message) => {
    const content = workbook({
      sheets: [{ rows: rowsOf([header, ['a', 'height', cell]]) }],
      formats: [
        '0.0%',
        '[h]:mm',
        'd\\ mmmm\\ yyyy',
        '# ?/?',
        '0" lb"',
        '['.repeat(50_000),
        '0\\ \\l\\b',
        'General" lb"',
        '0"%"',
        ';;;',
      ],
    })
    const { plan } = await read(content)
    expect(plan.problems).toMatchObject([{ line: 2, message: expect.stringContaining(message) }])
  })

  it('if a workbook cell has no format, it is read with the format of its column', async () => {
    const columns =
      '<cols><col min="1" max="1" style="1"/><col min="3" max="16384" style="2" hidden="0"/></cols>'
    const rows = rowsOf([
      header,
      ['<c><v>102</v></c>', 'height', '180'],
      ['a', 'height', '<c><v>0.5</v></c>'],
      ['b', 'height', '<c s="0"><v>70</v></c>'],
    ])
    const { plan } = await read(workbook({ sheets: [{ columns, rows }], formats: ['000000', '0%'] }))
    expect(plan.problems).toMatchObject([
      { line: 2, code: 'user_damaged' },
      { line: 3, code: 'value_invalid' },
    ])
    expect(plan.answers).toBe(1)
  })

  it('an import copies rejected rows of a workbook to answers.rejects.csv with the values of all columns', async () => {
    const rows = [
      [...header, 'when', 'note'],
      ['a', 'height', 'x', '<c s="1"><v>29293</v></c>'],
      ['b', 'height', '1'],
    ]
    const content = workbook({ sheets: [{ rows: rowsOf(rows) }], formats: ['yyyy-mm-dd'] })
    const checked = await read(content, { ignoreColumns: ['when'] })
    expect(await checked.rejectsText()).toContain('\na,height,x,1980-03-13,,2,value,value_invalid,')
  })

  it('an import keeps the row numbers of a workbook with missing rows, and ignores styled empty cells', async () => {
    const rows = `${rowsOf([header])}<row r="9"><c r="A9" t="inlineStr"><is><t>a</t></is></c><c r="B9" t="inlineStr"><is><t>height</t></is></c><c r="C9"><v>x</v></c><c r="Z9" s="1"/></row>`
    expect((await read(workbook({ sheets: [{ rows }] }))).plan.problems).toMatchObject([{ line: 9 }])
  })
})

describe('an invalid workbook', () => {
  const fine = { sheets: [{ rows: rowsOf([header]) }] }
  const spaces = ' '.repeat(5 * 1024 * 1024)

  it.each<[string, Buffer, string]>([
    ['macros', workbook({ ...fine, others: { 'xl/vbaProject.bin': 'x' } }), 'contains macros'],
    [
      'external links',
      workbook({ ...fine, others: { 'xl/externalLinks/externalLink1.xml': '<x/>' } }),
      'takes values from other workbooks',
    ],
    ['a password', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'is protected with a password'],
    [
      'another file type',
      zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
      'is an OpenDocument file',
    ],
    ['the format .xlsb', zip({ 'xl/workbook.bin': 'x' }), 'is an .xlsb file'],
    ['other files', zip({ 'answers.csv': 'x' }), 'not an .xlsx workbook'],
    ['a missing table of contents', workbook(fine).subarray(0, -30), 'damaged workbook'],
    ['a very long row', workbook({ sheets: [{ rows: `<row r="1">${spaces}` }] }), 'too large'],
    ['very long texts', workbook({ ...fine, strings: [`<si><t>${spaces}</t></si>`] }), 'too large'],
    [
      'a million columns',
      workbook({ sheets: [{ rows: '<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>' }] }),
      'damaged workbook',
    ],
    [
      'an XML entity',
      workbook({ ...fine, others: { 'xl/styles.xml': '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>' } }),
      'damaged workbook',
    ],
    [
      'a cell without a valid position',
      workbook({ sheets: [{ rows: '<row r="1"><c r="__proto__"/></row>' }] }),
      'damaged workbook',
    ],
    [
      'an entity in a sheet',
      workbook({ sheets: [{ rows: rowsOf([header]), head: '<!DOCTYPE x [<!ENTITY a "b">]>' }] }),
      'damaged workbook',
    ],
    [
      'an entity in the texts',
      workbook({ ...fine, strings: ['<!DOCTYPE x><si><t>a</t></si>'] }),
      'damaged workbook',
    ],
    ['rows without an end', workbook({ sheets: [{ rows: '<row '.repeat(300_000) }] }), 'damaged workbook'],
    [
      'a row without an end',
      workbook({ sheets: [{ rows: `${rowsOf([header])}<row>` }] }),
      'damaged workbook',
    ],
    [
      'a string without an end',
      workbook({ sheets: [{ rows: rowsOf([header]) }], strings: ['<si/><si>'] }),
      'damaged workbook',
    ],
    [
      'comments without an end',
      workbook({ sheets: [{ rows: `<row r="1">${'<!--'.repeat(200_000)}</row>` }] }),
      'is empty',
    ],
    [
      'cells without an end',
      workbook({ sheets: [{ rows: `<row r="1">${'<c r="A1">'.repeat(100_000)}</row>` }] }),
      'damaged workbook',
    ],
    [
      'a cell without an end',
      workbook({ sheets: [{ rows: '<row><c><v>1</v></c><c><v>2</v></row>' }] }),
      'damaged workbook',
    ],
    [
      'styles without an end',
      workbook({ sheets: [{ rows: '' }], others: { 'xl/styles.xml': '<cellXfs>'.repeat(200_000) } }),
      'is empty',
    ],
    [
      'columns that are defined many times',
      workbook({ sheets: [{ columns: '<col min="1" max="16384"/>'.repeat(9), rows: rowsOf([header]) }] }),
      'damaged workbook',
    ],
    ['rows out of order', workbook({ sheets: [{ rows: '<row r="2"/><row r="1"/>' }] }), 'damaged workbook'],
  ])('an import refuses a workbook with %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
    })
  })

  it('if the stated size of a workbook is too large, an import refuses the workbook and does not unpack it', async () => {
    const bytes = sheetOf([['a', 'height', '1']])
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(2 ** 30, entry + 24)
    await expect(read(bytes)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('too large'),
    })
  })

  it('an import refuses a workbook with one changed byte', async () => {
    const bytes = sheetOf([['a', 'height', '1']])
    const at = bytes.indexOf('xl/worksheets/sheet1.xml') + 40
    bytes[at] = (bytes[at] as number) ^ 0xff
    await expect(read(bytes)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('damaged workbook'),
    })
  })
})
