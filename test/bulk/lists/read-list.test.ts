import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { type BadRow, checkList, type ListItem, readList } from '../../../src/bulk/lists/read-list.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import { openTable } from '../../../src/bulk/rows/open-table.ts'
import type { Shard } from '../../../src/bulk/shard.ts'
import type { Reading } from '../../../src/bulk/types.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { rowsOf, workbook } from '../../helpers/workbook.ts'

async function read(
  content: string | Buffer,
  name = 'list.csv',
  map: Record<string, string> = {},
  reading: Reading = {},
) {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  const input = await openInput(path, new PassThrough(), reading)
  try {
    const settings = { ...reading, kind: 'list', map, known: ['language'] } as const
    const table = await openTable(input, settings)
    await checkList({ table }, () => undefined)
    const found: (string | ListItem)[] = []
    for await (const items of readList({ table }))
      for (const item of items) found.push('reason' in item ? `line ${item.line}: ${item.reason.code}` : item)
    return found.map((item) =>
      typeof item === 'string'
        ? item
        : [item.line, item.user.kind, item.user.id, item.cell('language')].join(' '),
    )
  } finally {
    input.close()
  }
}

test.each([
  [
    'one ID per line',
    'a b\nc d\n\ne',
    ['1 external_user_id a b ', '2 external_user_id c d ', '4 external_user_id e '],
  ],
  [
    'a header',
    'external_user_id,language\nu1,fr\nu2,\n',
    ['2 external_user_id u1 fr', '3 external_user_id u2 '],
  ],
  ['semicolons and a BOM', '\ufeffexternal_user_id;language\r\nu1;fr\r\n', ['2 external_user_id u1 fr']],
  [
    'invalid rows between valid rows',
    'external_user_id,language\n,fr\nu1\nu2,nl\n',
    ['line 2: user_missing', 'line 3: short_row', '4 external_user_id u2 nl'],
  ],
  ['empty rows of another delimiter', 'external_user_id\nu1\n;; \n||\n', ['2 external_user_id u1 ']],
  [
    'internal IDs',
    'user_id\n5151d12e-2f9a-4d7a-962f-fd85d23bd68b\nx\n',
    ['2 user_id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b ', 'line 3: user_not_uuid'],
  ],
])('a command reads a list of users with %s', async (_, content, expected) => {
  expect(await read(content)).toEqual(expected)
})

test('in a list of users, a JSON line with a deeply nested value is rejected, and the other lines are read', async () => {
  const deep = `{"external_user_id":"u1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(await read(`${deep}\n{"external_user_id":"u2"}\n`, 'x.jsonl')).toEqual([
    'line 1: json_type',
    '2 external_user_id u2 ',
  ])
})

test('a list of users without a header in a workbook requires --sheet if another sheet is not empty', async () => {
  const cover = { name: 'Cover', rows: rowsOf([['Staff2026'], ['Version3']]) }
  const staff = { name: 'Staff', rows: rowsOf([['external_user_id'], ['u1']]) }
  const content = workbook({ sheets: [cover, staff] })
  await expect(read(content)).rejects.toThrow(
    'the wrong sheet; choose the sheet: --sheet Staff (Staff) or --sheet Cover',
  )
  expect(await read(content, 'list.xlsx', {}, { sheet: 'Staff' })).toEqual(['2 external_user_id u1 '])
  expect(await read(content, 'list.xlsx', {}, { sheet: 'Cover' })).toHaveLength(2)
  const empty = { name: 'Sheet2', rows: '<row r="1"><c r="A1"/></row>' }
  expect(await read(workbook({ sheets: [cover, empty] }))).toHaveLength(2)
})

test('a command reads a list of users in JSON lines, in UTF-16, or with a renamed column', async () => {
  expect(
    await read('{"external_user_id":"u1","language":"fr"}\n{"external_user_id":7}\n', 'x.jsonl'),
  ).toEqual(['1 external_user_id u1 fr', '2 external_user_id 7 '])
  expect(await read(Buffer.from('\ufeffexternal_user_id\nu1\n', 'utf16le'))).toEqual([
    '2 external_user_id u1 ',
  ])
  expect(await read('staff no,language\nu1,fr\n', 'x.csv', { 'staff no': 'external_user_id' })).toEqual([
    '2 external_user_id u1 fr',
  ])
})

test('a list of users in JSON lines can contain keys that are not fields of a user', async () => {
  const line = {
    external_user_id: 'u1',
    language: { code: 'fr' },
    active: true,
    scores: [1],
    value: 3,
    lookup_key: 'x',
  }
  expect(await read(`${JSON.stringify(line)}\n`, 'x.jsonl')).toEqual(['1 external_user_id u1 {"code":"fr"}'])
  expect(
    await read('{"external_user_id":"u1","timezone":"UTC"}\n', 'x.jsonl', { timezone: 'language' }),
  ).toEqual(['1 external_user_id u1 UTC'])
  expect(await read('{"external_user_id":true}\n{"user_id":{"id":1}}\n', 'x.jsonl')).toEqual([
    'line 1: json_type',
    'line 2: json_type',
  ])
})

test('a command refuses a list of users without a column of IDs, and names its columns', async () => {
  await expect(read('name,language\nu1,fr\n')).rejects.toThrow(
    'no column is named like a user ID, and "name" contains IDs; the columns are "name", "language"',
  )
})

test('a command does not suggest a column of dates or a known column as the user ID column', async () => {
  const rows = 'Lohnart,Geburtsdatum\nA 1,29.02.1984\nB 2,13.05.1990\n'
  await expect(read(rows)).rejects.not.toThrow('"Geburtsdatum" contains IDs')
  await expect(read(rows.replace('Lohnart', 'Nr,Lohnart').replaceAll(/([AB])/g, '47$1,$1'))).rejects.toThrow(
    '"Nr" contains IDs',
  )
  await expect(read('name,language\nAnn B,fr1\nCid D,fr2\n')).rejects.not.toThrow('"language" contains IDs')
})

test.each(['Kennung', 'Identifiant', 'Användar-ID', 'Bruger ID', 'Benutzernummer', 'Identificador'])(
  'a command suggests the column "%s" as the user ID column even if one of its cells contains no ID',
  async (name) => {
    await expect(read(`${name},Geburtsdatum\n4711,29.02.1984\n#NV,13.05.1990\n`)).rejects.toThrow(
      `column "${name}" is probably external_user_id`,
    )
  },
)

test.each(['Employee ID', 'externalUserIDs', 'Patient no.', 'e-mail', 'id', 'patients'])(
  'a command refuses a list with one column whose first line looks like a header: %s',
  async (name) => {
    await expect(read(`${name}\n4711\n`)).rejects.toThrow(
      `line 1, "${name}", looks like a header or a title, not like a user ID`,
    )
    expect(await read(`${name}\n4711\n`, 'list.csv', { [name]: 'external_user_id' })).toEqual([
      '2 external_user_id 4711 ',
    ])
  },
)

const plainIds = [
  '4711',
  'ann',
  'covid',
  'user-4711',
  'nomad',
  'EMP-ID-7',
  'test-user',
  'SITE01-ID',
  'john-no',
]
const addresses = ['ann@example.com', 'kari@example.no', 'budi@example.co.id', 'mirko.id']

test.each([...plainIds, ...addresses])(
  'a command reads the first line of a list with one column as an ID: %s',
  async (id) => {
    expect(await read(`${id}\n4711\n`)).toEqual([`1 external_user_id ${id} `, '2 external_user_id 4711 '])
  },
)

test.each([
  ['Staff March\nE1\nE2\n', 'Staff March', {}],
  ['Nightshift\n\n1001\n1002\n', 'Nightshift', {}],
  ['Staff March\nPersoneelsnummer\nE1\nE2\n', 'Personeelsnummer', { headerLine: 2 }],
  ['Staff March\nann\nbob\n', 'Staff March', {}],
])(
  'a command asks whether the first line of a list is a title or a user ID: %j',
  async (content, title, place) => {
    const asTitle = { map: { [title]: 'external_user_id' }, ...place }
    await expect(read(content)).rejects.toMatchObject({
      exitCode: 2,
      flags: title === 'Personeelsnummer' ? '--header-line 2 --map Personeelsnummer=external_user_id' : '',
      questions: [{ prompts: [{ choices: [{ set: asTitle }, { set: { ids: 'exact' } }] }] }],
    })
    const lines = content.split('\n').filter(Boolean)
    const users = (found: string[]) => found.map((line) => line.replace(/^\d+ external_user_id /, '').trim())
    expect(users(await read(content, 'list.csv', asTitle.map, place))).toEqual(
      lines.slice(lines.indexOf(title) + 1),
    )
    expect(users(await read(content, 'list.csv', {}, { ids: 'exact' }))).toEqual(lines)
  },
)

test('a command requires --header-line if a list of users has a title above its header', async () => {
  await expect(read('Staff March\nexternal_user_id\nE1\n')).rejects.toMatchObject({
    flags: '--header-line 2',
  })
})

test('a command requires --map for a column named userId whose cells are not UUIDs', async () => {
  await expect(read('userId\n4711\n')).rejects.toMatchObject({ flags: '--map userId=external_user_id' })
  expect(await read('EXTERNAL_USER_ID\n4711\n')).toEqual(['2 external_user_id 4711 '])
  const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
  expect(await read(`User ID\n${uuid}\n`)).toEqual([`2 user_id ${uuid} `])
})

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

/** Checks and reads a list of users. Returns the items, and the text that describes the list. */
async function check(
  content: string,
  { shard, values = {}, signal }: { shard?: Shard; values?: Reading['values']; signal?: AbortSignal } = {},
) {
  const path = join(temporaryFolder(), 'list.csv')
  writeFileSync(path, content)
  const input = await openInput(path, new PassThrough())
  try {
    const table = await openTable(input, {
      values,
      kind: 'users',
      checksIds: true,
      known: ['sex', 'language'],
    })
    let checked = 0
    const text = await checkList({ table, shard }, () => void checked++, signal)
    const items: (ListItem | BadRow)[] = []
    for await (const block of readList({ table, shard })) items.push(...block)
    expect(checked).toBe(items.length)
    return { items, text, places: items.map(({ row, line }) => [row, line]) }
  } finally {
    input.close()
  }
}

const isUser = (item: ListItem | BadRow): item is ListItem => 'user' in item

test('each row of a list belongs to one shard, and a row without a user belongs to the first shard', async () => {
  const users = Array.from({ length: 20 }, (_, n) => `u${n},F`)
  const content = `external_user_id,sex\n,F\n${users.join('\n')}\n,M\n`
  const all = await check(content)
  expect(all.places).toEqual(Array.from({ length: 22 }, (_, row) => [row, row + 2]))
  const first = await check(content, { shard: { index: 0, count: 2 } })
  const second = await check(content, { shard: { index: 1, count: 2 } })
  expect([...first.places, ...second.places].sort(([a = 0], [b = 0]) => a - b)).toEqual(all.places)
  expect(first.items.filter((item) => !isUser(item)).map(({ line }) => line)).toEqual([2, 23])
  expect(second.items.every(isUser)).toBe(true)
  expect(second.items.length).toBeGreaterThan(0)
})

test.each([
  ['no shard, and a list with a row', 'external_user_id,sex\nu1,F\n', undefined, undefined],
  [
    'no shard, and a list without rows',
    'external_user_id,sex\n',
    undefined,
    'list.csv has no rows below its header',
  ],
  ['a shard, and a list without rows', 'external_user_id,sex\n', { index: 0, count: 2 }, undefined],
  ['a shard without rows', 'external_user_id,sex\nu1,F\n', { index: 0, count: 1_000 }, undefined],
] as const)(
  'the check of a list reports that the file has no rows, unless a shard is selected: %s',
  async (_, content, shard, text) => {
    expect((await check(content, shard && { shard })).text).toBe(text)
  },
)

test('if a row has both IDs, the external user ID selects the user, and the user ID is kept for a later check', async () => {
  const { items } = await check(`external_user_id,user_id\nu1,${uuid}\nu2,\n,${uuid}\n`)
  expect(
    items.filter(isUser).map(({ user, expectedUserId }) => [user.kind, user.id, expectedUserId]),
  ).toEqual([
    ['external_user_id', 'u1', uuid],
    ['external_user_id', 'u2', undefined],
    ['user_id', uuid, undefined],
  ])
})

test('if a list of users does not contain a column, a cell of this column is read as empty', async () => {
  const { items } = await check('external_user_id,sex,language\nu1,F,nl\nu2,,\n')
  const cells = items.filter(isUser).map(({ cell }) => ['sex', 'language', 'unknown'].map(cell))
  expect(cells).toEqual([
    ['F', 'nl', ''],
    ['', '', ''],
  ])
  const plain = await check('external_user_id\nu1\n')
  expect(plain.items.filter(isUser).map(({ cell, problems }) => [cell('sex'), problems])).toEqual([['', []]])
})

test('if --values does not contain the value of a cell, the row is invalid, and the cell is read as empty', async () => {
  const values = { sex: { w: 'F', m: 'M' } }
  const { items } = await check('external_user_id,sex\nu1,w\nu2,x\nu3,m\n', { values })
  expect(items.filter(isUser).map(({ cell, problems }) => [cell('sex'), problems])).toEqual([
    ['F', []],
    ['', ['sex "x" is not listed in --values']],
    ['M', []],
  ])
})

test('stopping a command ends the check of its list of users', async () => {
  const stopped = check('external_user_id\nu1\n', { signal: AbortSignal.abort(new Error('stopped')) })
  await expect(stopped).rejects.toThrow('stopped')
})
