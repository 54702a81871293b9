import { expect, it } from 'vitest'
import { rowsOf, workbook } from '../../helpers/workbook.ts'
import { brief, check } from '../import-input.ts'

const rows = rowsOf([
  ['external_user_id', 'lookup_key', 'value'],
  ['a', 'height', '1'],
])
const sheets = [{ rows }]
const path = 'xl/worksheets/sheet1.xml'
const read = (content: Buffer) => check(content, {}, { name: 'answers.xlsx' })

const emptyParts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, '']))
const longRows = (text: string) =>
  `${rows}<row r="3"><c r="D3" t="inlineStr"><is><t>${text}</t></is></c></row>`

it.each<[string, Buffer]>([
  ['without compression', workbook({ sheets }, { isStored: true })],
  ['with extra fields and comments', workbook({ sheets }, { extra: 'extra', comment: 'comment' })],
  [
    'with the longest comment',
    workbook({ sheets, others: { a: rows } }, { isStored: true, comment: 'x'.repeat(0xffff) }),
  ],
  ['with 10,000 parts', workbook({ sheets, others: emptyParts(10_000 - 5) })],
  ['whose last part has no name', workbook({ sheets, others: { '': '' } })],
  [
    'with a long part that is not compressed',
    workbook({ sheets: [{ rows: longRows('é'.repeat(100_000)) }] }, { isStored: true }),
  ],
  [
    'with a long part whose characters are split between blocks',
    workbook({ sheets: [{ rows: longRows(`x${'é'.repeat(100_000)}`) }] }, { isStored: true }),
  ],
])('an import reads a workbook %s', async (_, content) => {
  const { answers } = await read(content)
  expect(brief(await answers())).toEqual(['a height 1 Europe/Amsterdam'])
})

const plain = workbook({ sheets }, { isStored: true })
const entryOf = (bytes: Buffer) => bytes.lastIndexOf(path) - 46
const endOf = (bytes: Buffer) => bytes.length - 22

it.each<[string, (bytes: Buffer) => void]>([
  ['has more entries than its table of contents', (bytes) => bytes.writeUInt16LE(6, endOf(bytes) + 10)],
  ['has a table of contents beyond the end', (bytes) => bytes.writeUInt32LE(bytes.length, endOf(bytes) + 12)],
  ['has a table of contents with a wrong signature', (bytes) => bytes.write('XX', entryOf(bytes))],
  ['has a part beyond the end', (bytes) => bytes.writeUInt32LE(bytes.length, entryOf(bytes) + 42)],
  ['has a part with a wrong signature', (bytes) => bytes.write('XX', bytes.indexOf(path) - 30)],
  [
    'has a part with another content',
    (bytes) => bytes.write('A', bytes.indexOf('<t xml:space="preserve">a') + 24),
  ],
])('an import refuses a workbook that %s', async (_, change) => {
  const bytes = Buffer.from(plain)
  change(bytes)
  await expect(read(bytes)).rejects.toThrow('damaged workbook')
})

const sheet = (text: string) =>
  Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>${text}`, 'latin1')

it.each<[string, Readonly<Record<string, string | Buffer>>]>([
  ['more than 10,000 parts', emptyParts(10_001 - 5)],
  ['text that is not UTF-8', { [path]: sheet('<!-- \xe9 -->') }],
  ['an incomplete character at the end of a part', { [path]: sheet('\xc3') }],
])('an import refuses a workbook with %s', async (_, others) => {
  await expect(read(workbook({ sheets, others }))).rejects.toThrow('damaged workbook')
})

it('an import refuses a workbook with an unknown compression', async () => {
  const bytes = workbook({ sheets })
  bytes.writeUInt16LE(12, entryOf(bytes) + 10)
  await expect(read(bytes)).rejects.toThrow('damaged workbook')
})

it('an import refuses a workbook if the names of two parts differ only in case', async () => {
  const part = '<workbook><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>'
  const others = { 'xl/workbook.xml': part, 'xl/WORKBOOK.xml': part }
  await expect(read(workbook({ sheets, others }))).rejects.toThrow('damaged workbook')
})
