import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { readText } from '../../../src/bulk/input-file.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { rowsOf, type WorkbookParts, workbook } from '../../helpers/workbook.ts'

/** The text that is read from the first cell. A tilde stands for the marker byte of a text that differs from the stored value. */
async function textOf(cell: string, parts: Partial<WorkbookParts> = {}): Promise<string> {
  const path = join(temporaryFolder(), 'answers.xlsx')
  // The second cell has a value, so the row is not ignored if the first cell is empty.
  writeFileSync(path, workbook({ sheets: [{ rows: rowsOf([[cell, 'end']]) }], ...parts }))
  const input = await openInput(path, Readable.from([]))
  onTestFinished(() => input.close())
  const text = Buffer.alloc(input.end)
  readText(input, text, 0)
  return text
    .toString()
    .replace(/,end\n$/, '')
    .replaceAll('\x01', '~')
}

/** A style sheet whose cell style 0 uses the built-in number format `id`. */
const builtIn = (id: number) => ({
  others: { 'xl/styles.xml': `<styleSheet><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>` },
})

test.each([
  ['General', '72', '72'],
  ['General', '0.30000000000000004', '~~0.3'],
  ['General', '-0.5', '~~-0.5'],
  ['General', '10.25', '~~10.25'],
  ['General', '999999999999999', '999999999999999'],
  ['General', '1000000000000000', '1.00000E+15'],
  ['General', '-1234567890123456', '-1.23457E+15'],
  ['General', 'Infinity', '#Infinity'],
  ['General', '1.5.1', '#1.5.1'],
  ['', '5', '5'],
  ['@', '5', '5'],
  ['0', '5', '5'],
  ['0', '-5', '-5'],
  ['0.00', '5', '5'],
  ['#,##0.0#', '5', '5'],
  [' ?0 ', '5', '5'],
  ['[Red]0', '5', '5'],
  ['[>=100][Color 5]0', '5', '5'],
  ['[DBNum1]0', '5', '5'],
  ['_d0_)', '5', '5'],
  ['*-0', '5', '5'],
  ['0;-0" lb"', '5', '5'],
  ['0E+00', '5', '~~5'],
  ['0-0', '5', '~~5'],
  ['0.0.0', '5', '~~5'],
  ['0" cm"', '5', '~~5'],
  ['0\\ \\K\\G', '5', '~~5'],
  ['[$EUR] 0', '5', '~~5'],
  ['[$kr.-41D] 0', '5', '~~5'],
  ['General\\ "kg"', '5', '~~5'],
  ['"€" 0', '5', '~~5'],
  ['[$lb-409]0', '5', '~lb 5'],
  ['0" a;b"', '5', '~5 a;b'],
  ['0\\;\\x', '5', '~5 ;x'],
  ['0"cm""in"', '5', '~5 cmin'],
  ['0" cm high"', '5', '~5 cm high'],
  ['0" in kg"', '5', '~5 in kg'],
  ['0\\‰', '5', '~5 ‰'],
  ['""', '5', '~5 (not displayed)'],
  [' ', '5', '~5 (not displayed)'],
  ['0'.repeat(255), '5', `~${'5'.padStart(255, '0')}`],
  ['0'.repeat(256), '5', '~5 (unknown format)'],
  ['00', '5', '~05'],
  [' 000 ', '5', '~005'],
  ['000.00', '5', '~005'],
  ['000', '4711', '4711'],
  ['000', '100', '100'],
  ['0,000', '5', '5'],
  ['#,#00', '5', '5'],
  ['000.0#', '5', '~005'],
  ['#,##0', '5', '5'],
  ['0000', '1.5', '~~1.5'],
  ['0000', '-5', '~~-5'],
  ['x000', '5', '~~5'],
  ['000x', '5', '~~5'],
  ['0%', '0.07', '~7%'],
  ['0.00%', '0.12345', '~12.345%'],
  ['# ?/?', '0.5', '~0.5 (shown as a fraction)'],
  ['"P"0', '102', '~P 102'],
  ['[Red]0" st"', '11', '~11 st'],
  ['0,', '5000', '~5000 (shown in thousands)'],
  ['0.0,,', '5000', '~5000 (shown in thousands)'],
  ['#,', '5000', '~5000 (shown in thousands)'],
  ['?,', '5000', '~5000 (shown in thousands)'],
  ['yyyy-mm-dd', '45000', '~2023-03-15'],
  ['yyyy-mm-dd', '45000.5', '~2023-03-15 12:00:00'],
  ['yyyy-mm-dd', '44999.9999999', '~2023-03-15'],
  ['DD.MM.', '45000', '~2023-03-15'],
  ['yy', '45000', '~2023-03-15'],
  ['yyyy-mm-dd', '1', '~1900-01-01'],
  ['yyyy-mm-dd', '59', '~1900-02-28'],
  // Excel shows the day 60 as 29 February 1900, which did not exist.
  ['yyyy-mm-dd', '60', '~1900-02-28'],
  ['yyyy-mm-dd', '61', '~1900-03-01'],
  ['yyyy-mm-dd', '1e10', '#DATE'],
  ['yyyy-mm-dd', '2958465', '~9999-12-31'],
  ['yyyy-mm-dd', '2958466', '#DATE'],
  ['yyyy-mm-dd', '2958465.9999999', '#DATE'],
  ['yyyy-mm-dd', '-800000', '#DATE'],
  ['[>=100]0;0.0', '181', '181'],
  ["[>1]0'", '181', '~~181'],
  ['h:mm', '45000', '~2023-03-15 00:00:00'],
  ['SS', '45000', '~2023-03-15 00:00:00'],
  ['[h]:mm', '45000', '~2023-03-15 00:00:00'],
  ['[HH]', '45000', '~2023-03-15 00:00:00'],
  ['[ss]', '45000', '~2023-03-15 00:00:00'],
  ['[mm]', '45000', '~2023-03-15'],
])('a workbook cell with the format %j and the number %s is read as %j', async (format, value, expected) => {
  expect(await textOf(`<c s="1"><v>${value}</v></c>`, { formats: [format] })).toBe(expected)
})

test.each([
  [0, '45000'],
  [9, '~4500000%'],
  [12, '~45000 (shown as a fraction)'],
  [14, '~2023-03-15'],
  [17, '~2023-03-15'],
  [18, '~2023-03-15 00:00:00'],
  [22, '~2023-03-15 00:00:00'],
  [27, '~2023-03-15'],
  [47, '~2023-03-15 00:00:00'],
  [999, '45000'],
])('a workbook cell with the built-in format %i and the number 45000 is read as %j', async (id, expected) => {
  expect(await textOf('<c><v>45000</v></c>', builtIn(id))).toBe(expected)
})

test.each([
  ['0', '~1904-01-01'],
  ['59', '~1904-02-29'],
])('in a workbook with dates from 1904, the number %s is read as the date %j', async (value, expected) => {
  const parts = { formats: ['yyyy-mm-dd'], has1904Dates: true }
  expect(await textOf(`<c s="1"><v>${value}</v></c>`, parts)).toBe(expected)
})

test.each([
  ['<c t="d"><v>2024-02-29</v></c>', '~2024-02-29'],
  ['<c t="d"><v>2024-02-29T10:20:30Z</v></c>', '~2024-02-29 10:20:30'],
  ['<c t="d"><v>soon</v></c>', '#DATE'],
  ['<c t="b"><v>1</v></c>', 'TRUE'],
  ['<c t="b"><v>0</v></c>', 'FALSE'],
  ['<c t="e"><v>#N/A</v></c>', '#N/A'],
  ['<c t="s"><v>1</v></c>', '#MISSING TEXT'],
  ['<c t="s"><v> 0 </v></c>', 'shared'],
  ['<c/>', ''],
  ['<c></c>', ''],
  ['<c><v></v></c>', ''],
  ['<c><v/></c>', ''],
  ['<c><f>A1</f><v></v></c>', '#NO RESULT OF A FORMULA'],
  ['<c t="str"><f>A1</f><v></v></c>', ''],
  ['<c t="str"><f>A1</f><v>a&amp;b</v></c>', 'a&b'],
  ['<c><v>12</c>', '#DAMAGED CELL'],
  ['<c><v xml:space="preserve">12</v></c>', '12'],
  ['<c><vm>1</vm><v>12</v></c>', '12'],
  ['<c s="99"><v>12</v></c>', '12'],
  ['<c><f>SUBTOTAL(9,A1:A9)</f><v>12</v></c>', '#SUBTOTAL'],
  ['<c><f>AGGREGATE(9,0,A1:A9)</f><v>12</v></c>', '#SUBTOTAL'],
  ['<c><f>MYSUBTOTAL(9)</f><v>12</v></c>', '12'],
  ['<c t="str"><v>SUBTOTAL(</v></c>', 'SUBTOTAL('],
  ['<c t="str"><f>A1</f><v>SUBTOTAL(</v></c>', 'SUBTOTAL('],
  ['<c t="inlineStr"><is><t/><t>a</t><rPh><t>x</t></rPh><t>b</t></is></c>', 'ab'],
  ['<c t="inlineStr"><is><t>a_x0041__x00e9_</t></is></c>', 'aAé'],
  ['<c t="inlineStr"><is><t>a\r\n\nb</t></is></c>', '~a b'],
  ['<c t="inlineStr"><is><t>a\n</t></is></c>', 'a '],
  ['<c t="inlineStr"><is><t>_x0001_a</t></is></c>', 'a'],
  ['<c t="inlineStr"><is><t>a, "b"</t></is></c>', '"a, ""b"""'],
  ['<c t="inlineStr"><is><t>a"b</t></is></c>', '"a""b"'],
])('the workbook cell %s is read as %j', async (cell, expected) => {
  expect(await textOf(cell, { strings: ['<si><t>shared</t></si>'] })).toBe(expected)
})

test.each([
  ['&amp;&lt;&gt;&quot;&apos;', `"&<>""'"`],
  ['&#65;&#x42;&#X43;&#x1F600;', 'ABC😀'],
  ['&#x10ffff;', '\u{10ffff}'],
  ['&#x110000;', '&#x110000;'],
  ['&#0;', '&#0;'],
  ['&#12a;', '&#12a;'],
  ['&unknown;', '&unknown;'],
  ['a<!-- a long comment -->c<!-- d -->e', 'ace'],
  ['a<![CDATA[<&amp;]]>b', 'a<&amp;b'],
  ['a<![CDATA[1]]><!-- 2 --><![CDATA[3]]>b', 'a13b'],
])('the XML text %s in a workbook cell is read as %j', async (xml, expected) => {
  expect(await textOf(`<c t="inlineStr"><is><t>${xml}</t></is></c>`)).toBe(expected)
})

test.each([
  ["<c t='str'>", 'text'],
  ['<c t = "str">', 'text'],
  ['<c xt="b" t="str">', 'text'],
  ['<c xt="b"\nt="str">', 'text'],
  ['<c x:t="str">', '#text'],
  ['<c xt="str">', '#text'],
])('the text of a workbook cell with the start tag %j is read as %j', async (tag, expected) => {
  expect(await textOf(`${tag}<v>text</v></c>`)).toBe(expected)
})
