import { describe, expect, it } from 'vitest'
import { describeDamage } from '../../../src/bulk/rows/user-ids.ts'
import { rowsOf, workbook } from '../../helpers/workbook.ts'
import { faults, header, problemOf } from '../dirty-file.ts'
import { brief, check } from '../import-input.ts'
import { usersOf } from '../lists/users-of.ts'

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

/** Writes the IDs to a file with one column and reads it like an import of users. Returns the user ID of each row, or its error code. */
async function idsOf(ids: readonly string[], ...settings: [Parameters<typeof usersOf>[2]?, 'list'?]) {
  const rows = await usersOf(`external_user_id\n${ids.join('\n')}\n`, 'staff.csv', ...settings)
  return rows.map((row) => row.slice(row.indexOf(' ') + 1))
}

describe('user IDs that are probably damaged', () => {
  it.each(['Sept-26', '9-Mar-26', '9/3/2026', '-'.repeat(16), '-'.repeat(30)])(
    'the user ID %s is rejected as damaged',
    async (id) => {
      expect(await idsOf([id])).toEqual(['user_damaged'])
    },
  )

  it('if a user ID is damaged, the reason for its rejection describes the damage and how to correct it', async () => {
    expect((await problemOf('#N/A,height,1'))?.message).toBe(
      'the user ID is a spreadsheet error, "#N/A"; format the column as text and export the file again, or keep such IDs with --ids exact',
    )
    expect((await problemOf('“A1”,height,1'))?.message).toBe(
      'the user ID “A1” is enclosed in quotation marks; correct the file, or keep such IDs with --ids exact',
    )
  })

  it('the rejection reason of a row with totals does not suggest a correction', async () => {
    expect((await problemOf('Total,height,1'))?.message).toBe(
      '"Total" is probably not a user ID, but part of a row of totals or a separator line',
    )
  })

  it('IDs such as ALL0012 and sum12 are valid, but "All 12" and "Total: 12" are described as a row of totals', async () => {
    const ids = ['ALL0012', 'sum12', 'All', 'All 12', 'Total: 12']
    expect(ids.filter((id) => describeDamage(id) === undefined)).toEqual(['ALL0012', 'sum12'])
    expect(await idsOf(ids)).toEqual(['ALL0012', 'sum12', ...Array(3).fill('user_damaged')])
  })

  it.each([
    [40, ''],
    [41, '…'],
  ])('the message about a damaged user ID of %i characters shows at most 40 of them', async (length, end) => {
    const id = `#${'x'.repeat(length - 1)}`
    const message = `the user ID is a spreadsheet error, "${id.slice(0, 40)}${end}"`
    expect((await problemOf(`${id},height,1`))?.message).toContain(message)
  })

  it.each([
    [
      'a date',
      '<c s="1"><v>29293</v></c>',
      'the spreadsheet shows the user ID as 1980-03-13, but stores another value',
    ],
    [
      'a number with a currency',
      '<c s="2"><v>102</v></c>',
      'the spreadsheet stores the user ID as the number 102, but may display it differently',
    ],
  ])(
    'the reason for a user ID in a workbook states the value if the cell is %s',
    async (_, cell, message) => {
      const rows = rowsOf([header.split(','), [cell, 'height', '<c><v>1</v></c>']])
      const content = workbook({ sheets: [{ rows }], formats: ['yyyy-mm-dd', '"€"0'] })
      const { plan } = await check(content, {}, { name: 'answers.xlsx' })
      expect(plan.problems).toMatchObject([
        { code: 'user_damaged', message: expect.stringContaining(`${message}; `) },
      ])
    },
  )
})

describe('user IDs with bytes that are not UTF-8', () => {
  it('with --encoding utf-8, a user ID that is not UTF-8 is rejected', async () => {
    const bytes = Buffer.from(`${header}\nJosé,height,1\nb,height,2\n`, 'latin1')
    const { plan } = await check(bytes, {}, { encoding: 'utf-8' })
    expect(plan).toMatchObject({ answers: 1, problems: [{ line: 2, code: 'user_encoding' }] })
  })
})

describe('rows that repeat the header', () => {
  it.each([
    ['the ID is the name of its column', 'external_user_id,x', 'header_repeated'],
    ['two cells are the names of their columns', 'External-User-ID,Note', 'header_repeated'],
    ['the ID is empty', ',note', 'user_missing'],
  ])('if %s, the row is rejected: %s', async (_, row, code) => {
    expect(await usersOf(`external_user_id,note\n${row}\n`)).toEqual([`2 ${code}`])
  })

  it('if the ID in a row is empty and the other cells repeat the column names, the ID is reported as missing', async () => {
    expect(await faults(`${header}\n,lookup_key,value\n`)).toContain('2 user_missing')
    expect(await faults(`${header}\n,lookup_key,value\n`)).not.toContain('2 header_repeated')
  })

  it('with --ids exact, a row that repeats the header is read as a user', async () => {
    expect(await idsOf(['external_user_id', 'A1'], { ids: 'exact' })).toEqual(['external_user_id', 'A1'])
  })

  it('a row is read as a user if each number in the row is equal to the name of its column', async () => {
    const text = 'external_user_id;2024;2025\nA B;2024;2025\n'
    expect(await usersOf(text, 'list.csv', {}, 'list')).toEqual(['2 A B'])
  })
})

describe('rows with two user IDs', () => {
  it('if the column user_id is first, its IDs must be UUIDs even if the row also has an external user ID', async () => {
    expect(await faults('user_id,external_user_id,lookup_key,value\n4711,b,height,1\n')).toEqual([
      '2 user_not_uuid',
    ])
  })

  it('several rows with the same two user IDs are accepted', async () => {
    const text = `external_user_id,user_id,lookup_key,value\na,${uuid},height,1\na,${uuid},weight,2\n`
    const { plan } = await check(text)
    expect(plan).toMatchObject({ answers: 2, invalid: 0 })
  })
})

describe('spaces around cells', () => {
  it('the plan counts the cells from which spaces were removed', async () => {
    const { plan } = await check(`${header}\n a ,height, 1\nb,height,2\n`)
    expect(plan.normalized.trimmed_cells).toBe(2)
  })

  it('with --ids exact, spaces are removed from all cells except user IDs', async () => {
    const checked = await check(`${header}\n a, height , 1 \n`, { ids: 'exact' })
    expect(brief(await checked.answers())).toEqual([' a height 1 Europe/Amsterdam'])
    const text = `user_id,lookup_key,value\n ${uuid},height,1\n`
    expect(await faults(text, { ids: 'exact' })).toEqual(['2 user_not_uuid'])
    expect(await faults(text)).toEqual([])
  })

  it('values with spaces are not compared with user IDs, and rows without a user do not end the comparison', async () => {
    expect(await faults(`${header}\n4711,height, 4711 \n`)).toEqual([])
    expect(await faults(`${header}\n a ,height,1\nb,height\n ,height,1\n`)).toEqual([
      '3 short_row',
      '4 user_missing',
    ])
  })
})

describe('leading zeros of user IDs', () => {
  it('--ids pad:N adds zeros only to IDs that consist of digits', async () => {
    expect(await idsOf(['12', 'A12', '12A', '1234567'], { ids: 6 })).toEqual([
      '000012',
      'A12',
      '12A',
      '1234567',
    ])
  })

  it('--ids pad:N adds zeros to the ID of a row with quotation marks inside a cell', async () => {
    const checked = await check(`${header},note\n"125",height,1,"a ""b"" c"\n`, { ids: 6 })
    expect(brief(await checked.answers())).toEqual(['000125 height 1 Europe/Amsterdam'])
  })
})

describe('rows that are not read', () => {
  it.each([';x', ';x;'])('in a file with one column, the row %s is read as a user ID', async (row) => {
    expect(await idsOf(['u1', row], {}, 'list')).toEqual(['u1', row])
  })

  it('a file is refused if its last line is only a quotation mark', async () => {
    await expect(check(`${header}\na,height,1\n"`)).rejects.toThrow(
      'the quotation mark on line 3 has no closing quotation mark',
    )
  })
})

describe('rows from a file of unknown rows', () => {
  const result = '_line,_column,_code,_message'

  it.each([
    ['unconfirmed', 1],
    ['value_invalid', 0],
  ])('the plan of an import counts the rows with the code %s: %i', async (code, unknown) => {
    const csv = `${header},${result}\na,height,1,2,,${code},x\nb,height,1,3,,value_invalid,x\n`
    expect((await check(csv)).plan).toMatchObject({ answers: 2, unknown })
    const line = (user: string, added: object) =>
      `${JSON.stringify({ external_user_id: user, lookup_key: 'height', value: 1, ...added })}\n`
    const json = line('a', { _code: code }) + line('b', { note: '_code' })
    expect((await check(json, {}, { name: 'answers.jsonl' })).plan).toMatchObject({ answers: 2, unknown })
  })

  it('the plan of an import counts no unknown rows in a file without result columns', async () => {
    expect((await check(`${header},note\na,height,1,unconfirmed\n`)).plan.unknown).toBe(0)
    const quoted = `${header},note\na,height,1,"{""_code"":""unconfirmed""}"\n`
    expect((await check(quoted)).plan.unknown).toBe(0)
  })
})
