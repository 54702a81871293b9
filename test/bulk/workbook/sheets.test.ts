import { describe, expect, it } from 'vitest'
import { rowsOf, workbook } from '../../helpers/workbook.ts'
import { brief, check } from '../import-input.ts'

const header = ['external_user_id', 'lookup_key', 'value']

const read = (content: Buffer, settings = {}) =>
  check(content, settings, { name: 'answers.xlsx', ...settings })

const answersOf = async (content: Buffer, settings = {}) =>
  brief(await (await read(content, settings)).answers())

describe('the sheets of a workbook', () => {
  const two = (state: string) =>
    workbook({
      sheets: [
        { name: 'Old', state, rows: rowsOf([header, ['a', 'height', '1']]) },
        { name: 'New one', rows: rowsOf([header, ['b', 'height', '2']]) },
      ],
    })

  it.each([
    ['visible', {}, ['a height 1']],
    ['visible', { sheet: 'New one' }, ['b height 2']],
    ['hidden', { sheet: 'Old' }, ['a height 1']],
    ['hidden', { hidden: 'include' }, ['a height 1']],
    ['veryHidden', { hidden: 'skip' }, ['b height 2']],
  ])(
    'an import reads the selected sheet of a workbook whose first sheet is %s (settings: %j)',
    async (state, settings, expected) => {
      expect(await answersOf(two(state), settings)).toEqual(
        expected.map((line) => `${line} Europe/Amsterdam`),
      )
    },
  )

  it('an import refuses a hidden first sheet and an unknown --sheet, and names the sheets of the workbook', async () => {
    await expect(read(two('hidden'))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /the first sheet is hidden; the sheets are "Old" \(hidden\), "New one": --sheet 'New one' /,
      ),
    })
    await expect(read(two('visible'), { sheet: 'x' })).rejects.toThrow(
      'has no sheet "x"; its sheets are "Old", "New one"',
    )
  })

  it('an import requires --sheet if the first sheet is the summary sheet that Apple Numbers exports', async () => {
    const summary = [
      ['This document was exported from Numbers.'],
      ['Sheet 1', 'Table 1', 'Sheet 1 - Table 1'],
    ]
    const content = workbook({
      sheets: [
        { name: 'Export Summary', rows: rowsOf(summary) },
        { name: 'Sheet 1 - Table 1', rows: rowsOf([header, ['a', 'height', '1']]) },
      ],
    })
    await expect(read(content)).rejects.toThrow(`is a list of the other sheets: --sheet 'Sheet 1 - Table 1' `)
    expect(await answersOf(content, { sheet: 'Sheet 1 - Table 1' })).toEqual(['a height 1 Europe/Amsterdam'])
  })

  it('an import skips the first sheet of a workbook if it contains only a chart', async () => {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const links = `<Relationships><Relationship Id="rId1" Type="${type}/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="rId2" Type="${type}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`
    const content = workbook({
      sheets: [
        { name: 'Chart', rows: '' },
        { name: 'Data', rows: rowsOf([header, ['a', 'height', '1']]) },
      ],
      others: { 'xl/_rels/workbook.xml.rels': links, 'xl/chartsheets/sheet1.xml': '<chartsheet/>' },
    })
    expect(await answersOf(content)).toEqual(['a height 1 Europe/Amsterdam'])
  })

  it.each([
    [[], 'the first sheet, "Intro", is empty: --sheet Data'],
    [[['Read me']], 'the first sheet, "Intro", has only one row: --sheet Data'],
    [
      [[''], ['Region', 'Total', ''], ['North', '<c><v>3</v></c>', '']],
      'Intro, rows 2 to 3, 2 columns may be the wrong sheet; choose the sheet: --sheet Data',
    ],
    [
      [
        ['Region', 'Total'],
        ['North', '<c><v>3</v></c>'],
      ],
      'Intro, rows 1 to 2, 2 columns may be the wrong sheet; choose the sheet: --sheet Data',
    ],
  ])(
    'an import requires --sheet if the first sheet of a workbook contains these rows without answers: %j',
    async (rows, message) => {
      const content = workbook({
        sheets: [
          { name: 'Intro', rows: rowsOf(rows) },
          { name: 'Data', rows: rowsOf([header, ['a', 'height', '1']]) },
        ],
      })
      await expect(read(content)).rejects.toThrow(message)
      expect(await answersOf(content, { sheet: 'Data' })).toEqual(['a height 1 Europe/Amsterdam'])
    },
  )

  it('an import refuses a workbook with hidden rows or columns if no flag includes or skips them', async () => {
    const rows = rowsOf(
      [
        [...header, 'weight'],
        ['a', 'height', '1', ''],
        ['b', 'height', '2', 'x'],
      ],
      { 2: 'hidden="1"' },
    )
    const columns = '<cols><col min="4" max="4" width="9" hidden="true"/></cols>'
    const content = workbook({ sheets: [{ name: 'S', columns, rows }] })
    await expect(read(content)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /sheet "S" has 1 hidden row and 1 hidden column: --hidden include .*--hidden skip/,
      ),
    })
    expect(await answersOf(content, { hidden: 'skip' })).toEqual(['b height 2 Europe/Amsterdam'])
    expect(await answersOf(content, { hidden: 'include' })).toHaveLength(2)
  })
})

describe('the first sheet of a workbook has one row', () => {
  const answer = ['a', 'height', '1']
  const cover = { name: 'Intro', rows: rowsOf([['Read me']]) }
  const filled = '<c><v>1</v></c>'
  const emptyRows = (count: number) => '<row/>'.repeat(count)
  const damagedSheet = '<row r="2"/><row r="1"/>'

  it.each([
    ['contains a row', { rows: rowsOf([header]) }, 'Data'],
    ['contains a cell in row 50', { rows: `${emptyRows(49)}<row r="50">${filled}</row>` }, 'Data'],
    ['contains more than 50 empty rows', { rows: emptyRows(51) }, 'Data'],
    ['is damaged', { rows: damagedSheet }, 'Data'],
    ['contains 50 empty rows', { rows: emptyRows(50) }, undefined],
    ['contains a cell without a value', { rows: '<row r="1"><c r="A1" s="1"/></row>' }, undefined],
    ['is hidden', { state: 'hidden', rows: rowsOf([header, answer]) }, undefined],
  ])(
    'an import suggests the second sheet only if the sheet can contain values: the second sheet %s',
    async (_, second, suggested) => {
      const content = workbook({ sheets: [cover, { name: 'Data', ...second }] })
      const message = await read(content).then(
        () => '',
        (error: Error) => error.message,
      )
      expect(/--sheet (\S+)/.exec(message)?.[1]).toBe(suggested)
    },
  )

  it('if --sheet selects a sheet with one row, the import does not suggest another sheet', async () => {
    const sheets = [cover, { name: 'Data', rows: rowsOf([header, answer]) }]
    await expect(read(workbook({ sheets }), { sheet: 'Intro' })).rejects.not.toThrow('--sheet')
  })
})

describe('the first sheet of a workbook names the other sheets', () => {
  const list = (count: number) => [
    ...Array.from({ length: count - 1 }, (_, n) => [`Table ${n}`]),
    ['One', 'Two'],
  ]
  const others = ['One', 'Two'].map((name) => ({ name, rows: rowsOf([header, ['a', 'height', '1']]) }))

  it.each([
    ['the last name is in row 50', list(50), true],
    ['the last name is in row 51', list(51), false],
    ['one name is missing', [['One'], ['Three']], false],
  ])(
    'if the first 50 rows of the first sheet name all other sheets, the sheet is refused as a list of sheets: %s',
    async (_, rows, isList) => {
      const content = workbook({ sheets: [{ name: 'List', rows: rowsOf(rows) }, ...others] })
      const error = await read(content).catch((failure: Error) => failure)
      expect(String(error).includes('is a list of the other sheets: --sheet One')).toBe(isList)
    },
  )
})

describe('hidden parts of a workbook', () => {
  const answers = [header, ['a', 'height', '1']]
  const rows = rowsOf(answers)
  const withoutColumnC = rowsOf([
    ['external_user_id', 'lookup_key', '', 'value'],
    ['a', 'height', '', '1'],
  ]).replace(/<c r="C.*?<\/c>/g, '')
  const hiddenEmpty = '<row r="3" hidden="1"><c r="A3" s="1"/></row>'
  const cols = (attributes: string) => `<cols><col min="1" max="1" ${attributes}/></cols>`

  it.each([
    ['a hidden row without values', { rows: rows + hiddenEmpty }, ''],
    [
      'a hidden column without values',
      { columns: '<cols><col min="9" max="9" hidden="1"/></cols>', rows },
      '',
    ],
    [
      'a hidden column without cells',
      { columns: '<cols><col min="3" max="3" hidden="1"/></cols>', rows: withoutColumnC },
      '',
    ],
    ['a visible column', { columns: cols('hidden="0" width="9"'), rows }, ''],
    ['a hidden column', { columns: cols('hidden="1"'), rows }, '1 hidden column'],
    ['a column with the width 0', { columns: cols('width="0"'), rows }, '1 hidden column'],
    [
      'three hidden columns',
      { columns: '<cols><col min="1" max="3" hidden="1"/></cols>', rows },
      '3 hidden columns',
    ],
    ['a row with the height 0', { rows: rowsOf(answers, { 2: 'ht="0"' }) }, '1 hidden row'],
    ['two hidden rows', { rows: rowsOf(answers, { 1: 'hidden="true"', 2: 'hidden="1"' }) }, '2 hidden rows'],
    ['a row that is not hidden', { rows: rowsOf(answers, { 2: 'hidden="0" ht="15"' }) }, ''],
  ])(
    'an import asks about hidden rows and columns of a sheet only if they have values: %s',
    async (_, sheet, expected) => {
      const message = await read(workbook({ sheets: [{ name: 'S', ...sheet }] })).then(
        () => '',
        (error: Error) => error.message,
      )
      expect(/has (.*?): --hidden/.exec(message)?.[1] ?? '').toBe(expected)
    },
  )

  it.each([
    ['skip', 'Europe/Amsterdam'],
    ['include', 'Asia/Tokyo'],
  ])(
    'if --hidden is %s and a hidden column contains the time zone Asia/Tokyo, an import uses %s',
    async (hidden, zone) => {
      const columns = '<cols><col min="4" max="4" hidden="1"/></cols>'
      const zoned = rowsOf([
        [...header, 'timezone'],
        ['a', 'height', '1', 'Asia/Tokyo'],
      ])
      expect(await answersOf(workbook({ sheets: [{ columns, rows: zoned }] }), { hidden })).toEqual([
        `a height 1 ${zone}`,
      ])
    },
  )

  it('if --hidden skip is set, an import ignores hidden rows and columns, and keeps the row numbers', async () => {
    const columns = '<cols><col min="4" max="4" hidden="1"/></cols>'
    const hidden = rowsOf(
      [
        [...header, 'weight'],
        ['a', 'height', '1', '2'],
        ['b', 'height', 'x', '2'],
      ],
      { 2: 'hidden="1"' },
    )
    const { plan } = await read(workbook({ sheets: [{ columns, rows: hidden }] }), { hidden: 'skip' })
    expect(plan.problems).toMatchObject([{ line: 3, code: 'value_invalid' }])
    expect(plan.answers).toBe(0)
  })
})

describe('the positions of cells in a workbook', () => {
  const answers = rowsOf([header, ['a', 'height', '1']])
  const at = (row: number, column: string) => `<row r="${row}"><c r="${column}${row}"><v>1</v></c></row>`

  it.each([
    ['a cell after the last column', at(3, 'XFE')],
    ['a column in lower case', '<row r="3"><c r="a3"/></row>'],
    ['a column with four letters', '<row r="3"><c r="AAAA3"/></row>'],
    ['a range instead of a cell', '<row r="3"><c r="A3:B3"/></row>'],
    ['the row number 0', '<row r="0"/>'],
    ['a repeated row number', '<row r="2"/>'],
    ['a row after the last row', '<row r="1048577"/>'],
  ])('an import refuses a workbook with %s', async (_, last) => {
    await expect(read(workbook({ sheets: [{ rows: answers + last }] }))).rejects.toThrow('damaged workbook')
  })

  it.each([
    ['a cell in the last column', at(3, 'XFD'), { line: 3, code: 'long_row' }],
    ['a cell in the last row', at(1_048_576, 'C'), { line: 1_048_576, code: 'user_missing' }],
    [
      'a cell after a comment',
      `<row><!-- <c r="A3"/> -->${'<c><v>1</v></c>'.repeat(2)}</row>`,
      { line: 3, code: 'value_missing' },
    ],
    ['cells without positions', '<row><c/><c/><c><v>1</v></c></row>', { line: 3, code: 'user_missing' }],
  ])('an import reports the line of an invalid row of a workbook: %s', async (_, last, problem) => {
    const { plan } = await read(workbook({ sheets: [{ rows: answers + last }] }))
    expect(plan.problems).toContainEqual(expect.objectContaining(problem))
  })
})

describe('the parts of a workbook', () => {
  const rows = rowsOf([header, ['a', 'height', '<c s="1"><v>1</v></c>']])
  const links = (...targets: string[]) => ({
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets
      .map((target, n) => `<Relationship Id="rId${n + 1}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  })
  const book = (sheets: string) => ({ 'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>` })
  const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`
  const strings = '<sst><si><t>a</t></si></sst>'
  const shared = `<worksheet><sheetData>${rowsOf([header, ['<c t="s"><v>0</v></c>', 'height', '1']])}</sheetData></worksheet>`
  const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="9"/></cellXfs></styleSheet>'

  it.each<[string, Record<string, string>]>([
    ['a sheet with an absolute path', { ...links('/data/one.xml'), 'data/one.xml': sheet }],
    ['a sheet with a path in other letters', links('Worksheets/SHEET1.xml')],
    ['a sheet in single quotes', book("<sheet name='S' r:id = 'rId1'/>")],
    ['a sheet with a long prefix', book('<sheet rel:id="rId1"/>')],
    ['a sheet without a part before another sheet', book('<sheet r:id="rId9"/><sheet/><sheet r:id="rId1"/>')],
    [
      'texts in a part with another name',
      {
        ...links('worksheets/sheet1.xml', 'a/SharedStrings.xml'),
        'xl/worksheets/sheet1.xml': shared,
        'xl/a/SharedStrings.xml': strings,
      },
    ],
  ])('an import reads a workbook that contains %s', async (_, others) => {
    expect(await answersOf(workbook({ sheets: [{ rows }], others }))).toEqual(['a height 1 Europe/Amsterdam'])
  })

  it('an import applies the number formats of a workbook if they are in b/Styles.xml instead of xl/styles.xml', async () => {
    const others = { ...links('worksheets/sheet1.xml', '/b/Styles.xml'), 'b/Styles.xml': styles }
    const { plan } = await read(workbook({ sheets: [{ rows }], others }))
    expect(plan.problems).toMatchObject([{ message: expect.stringContaining('got "100%"') }])
  })

  it.each([
    ['whose only sheet has no part', book('<sheet name="S" r:id="rId9"/>')],
    ['without a sheet', book('')],
    ['whose sheet has no data', { 'xl/worksheets/sheet1.xml': '<worksheet/>' }],
  ])('an import refuses a workbook %s', async (_, others) => {
    await expect(read(workbook({ sheets: [{ rows }], others }))).rejects.toThrow('damaged workbook')
  })

  it.each(['sharedStrings', 'styles'])(
    'an import reads a workbook without the part xl/%s.xml',
    async (name) => {
      const text = workbook({ sheets: [{ rows: rowsOf([header, ['a', 'height', '1']]) }] }).toString('latin1')
      const renamed = text.replaceAll(`${name}.xml`, `${name}.old`)
      expect(await answersOf(Buffer.from(renamed, 'latin1'))).toEqual(['a height 1 Europe/Amsterdam'])
    },
  )

  it('an import refuses a workbook that does not state where its sheets are', async () => {
    const text = workbook({ sheets: [{ rows }] }).toString('latin1')
    const renamed = text.replaceAll('workbook.xml.rels', 'workbook.xml.none')
    await expect(read(Buffer.from(renamed, 'latin1'))).rejects.toThrow('damaged workbook')
  })

  it.each(['1', 'true'])(
    'an import of a workbook with date1904="%s" reads dates from 1904',
    async (value) => {
      const others = {
        'xl/workbook.xml': `<workbook><workbookPr date1904="${value}"/><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
      }
      const dated = rowsOf([header, ['a', 'height', '<c s="1"><v>0</v></c>']])
      const { plan } = await read(workbook({ sheets: [{ rows: dated }], formats: ['yyyy-mm-dd'], others }))
      expect(plan.problems).toMatchObject([{ message: expect.stringContaining('got "1904-01-01"') }])
    },
  )

  it('--hidden skip is refused if all sheets of a workbook are hidden, and the error names the sheets', async () => {
    const hidden = ['One', 'Two'].map((name) => ({ name, state: 'hidden', rows }))
    const reading = read(workbook({ sheets: hidden }), { hidden: 'skip' })
    await expect(reading).rejects.toThrow('the sheets are "One" (hidden), "Two" (hidden): --sheet One')
  })
})
