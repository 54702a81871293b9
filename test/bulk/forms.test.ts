import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brief, check } from './import-input.ts'

describe('wide form', () => {
  const header = 'external_user_id,height,weight,smoking'

  it('wide form is detected from the header, and an empty cell is not an answer', async () => {
    const checked = await check(`${header}\na,180,70,\nb,,,1\nc,,,\n`)
    expect(checked.plan).toMatchObject({ form: 'wide', rows: 3, answers: 3, skipped: 1, users: 2 })
    expect(brief(await checked.answers())).toEqual([
      'a height 180 Europe/Amsterdam',
      'a weight 70 Europe/Amsterdam',
      'b smoking 1 Europe/Amsterdam',
    ])
  })

  it('gives each cell with a value its own row number', async () => {
    const checked = await check(`${header}\na,180,70,\nb,x,60,1\n`)
    expect((await checked.answers()).map(({ row, line }) => ({ row, line }))).toEqual([
      { row: 0, line: 2 },
      { row: 1, line: 2 },
      { row: 3, line: 3 },
      { row: 4, line: 3 },
    ])
    expect(checked.plan.problems).toMatchObject([
      { row: 2, line: 3, column: 'height', code: 'value_invalid' },
    ])
  })

  it('rejects a complete row with an invalid user or time zone, with the errors of its cells', async () => {
    const { plan } = await check(`external_user_id,timezone,height\n,+1,x\na,UTC,180\n`)
    expect(plan).toMatchObject({ rows: 2, invalid: 1, answers: 1 })
    expect(plan.problems.map(({ column, code }) => `${column} ${code}`)).toEqual([
      'external_user_id user_missing',
      'timezone timezone_offset',
      'height value_invalid',
    ])
  })

  it('reads a column as the lookup key that it is mapped to, and ignores a column that is mapped to nothing', async () => {
    const map = { Length: 'height', Name: '' }
    const checked = await check('external_user_id,Name,Length\na,Ann,180\n', { map })
    expect(brief(await checked.answers())).toEqual(['a height 180 Europe/Amsterdam'])
    expect(checked.plan.columns).toContainEqual({ header: 'Length', read_as: 'height' })
  })
})

describe('users', () => {
  it.each([
    ['a,\nb,', false],
    [',5151d12e-2f9a-4d7a-962f-fd85d23bd68b\n,6151d12e-2f9a-4d7a-962f-fd85d23bd68b', false],
    ['a,\n,5151d12e-2f9a-4d7a-962f-fd85d23bd68b', true],
  ])('reports for the users %j whether both kinds of ID occur, in every shard', async (users, both) => {
    const rows = users.split('\n').map((ids) => `${ids},height,180\n`)
    const text = `external_user_id,user_id,lookup_key,value\n${rows.join('')}`
    const shards = [undefined, { index: 0, count: 2 }, { index: 1, count: 2 }]
    for (const shard of shards) expect((await check(text, { shard })).hasBothIds).toBe(both)
  })
})

describe('lookup keys', () => {
  it('reports unknown keys with the nearest known key, sorted by number of rows', async () => {
    const rows = ['a,hight,1', 'b,Average-Sleep Hours,1', 'c,hight,1', 'd,zzz,1']
    const { plan } = await check(`external_user_id,lookup_key,value\n${rows.join('\n')}\n`)
    expect(plan.unknown_keys).toEqual([
      { key: 'hight', rows: 2, first_line: 2, nearest: 'height' },
      { key: 'Average-Sleep Hours', rows: 1, first_line: 3, nearest: 'average_sleep_hours' },
      { key: 'zzz', rows: 1, first_line: 5, nearest: undefined },
    ])
    expect(plan.problems[0]?.message).toContain('did you mean "height"?')
  })

  it('shortens long keys', async () => {
    const { plan } = await check(`external_user_id,lookup_key,value\na,${'note '.repeat(1000)},1\n`)
    expect(plan.unknown_keys).toEqual([
      { key: `${'note '.repeat(12)}…`, rows: 1, first_line: 2, nearest: undefined },
    ])
  })

  it('accepts every key without a list of known keys', async () => {
    const { plan } = await check(
      'external_user_id,lookup_key,value\na,hight,1\n',
      {},
      { knownKeys: undefined },
    )
    expect(plan).toMatchObject({ answers: 1, unknown_keys: [] })
  })
})

describe('JSON lines', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const codes = async (text: string) => {
    const { plan } = await check(text, {}, { name: 'answers.jsonl' })
    return plan.problems.map(({ line: at, column, code }) => `${at} ${column ?? '-'} ${code}`)
  }

  it('reads the long form with IDs and values as strings or numbers', async () => {
    const text =
      line({ external_user_id: 'a', lookup_key: 'height', value: 180, timezone: 'utc' }) +
      '\r\n' +
      line({ value: '70', external_user_id: 8, lookup_key: 'weight', note: 'x' })
    const checked = await check(text, {}, { name: 'answers.jsonl' })
    expect(checked.plan).toMatchObject({ format: 'jsonl', form: 'long', rows: 2, skipped: 1 })
    expect(brief(await checked.answers())).toEqual(['a height 180 UTC', '8 weight 70 Europe/Amsterdam'])
  })

  it('reads the wide form, in which null is not an answer and later lines may add keys', async () => {
    const text =
      line({ external_user_id: 'a', height: 180, weight: null }) + line({ external_user_id: 'b', smoking: 0 })
    const checked = await check(text, {}, { name: 'answers.ndjson' })
    expect(checked.plan).toMatchObject({ form: 'wide', answers: 2 })
    expect(brief(await checked.answers())).toEqual([
      'a height 180 Europe/Amsterdam',
      'b smoking 0 Europe/Amsterdam',
    ])
  })

  it('JSON lines are recognized on standard input', async () => {
    const text = line({ external_user_id: 'a', lookup_key: 'height', value: 1 })
    expect((await check(text, {}, { name: '-' })).plan).toMatchObject({ format: 'jsonl', answers: 1 })
  })

  it('renames keys with --map', async () => {
    const map = { patient: 'external_user_id', q: 'lookup_key', a: 'value' }
    const checked = await check(line({ patient: 'a', q: 'height', a: 3 }), { map }, { name: 'answers.jsonl' })
    expect(brief(await checked.answers())).toEqual(['a height 3 Europe/Amsterdam'])
  })

  it('rejects the same values as in a table, although JSON reads them as whole numbers', async () => {
    const row = (value: string) => `{"external_user_id":"a1e3","lookup_key":"height","value":${value}}\n`
    expect(await codes(row('1.000') + row('1e3') + row('9007199254740993') + row('1.5') + row('7'))).toEqual([
      '1 value value_invalid',
      '2 value value_invalid',
      '3 value value_range',
      '4 value value_invalid',
    ])
  })

  it('checks only the keys that it reads', async () => {
    const more = '"note":1.0,"list":[1e3],"text":"\\"value\\":1.5","more":{"value":2.0}'
    expect(await codes(`{"external_user_id":"a","lookup_key":"height","value":1,${more}}`)).toEqual([])
  })

  it('rejects a line with a repeated key, because one of its answers would be lost', async () => {
    const text = [
      '{"external_user_id":"a","height":1,"weight":2}',
      '{"external_user_id":"a","height":1,"weight":2,"height":3}',
      '{"external_user_id":"a","height":1,"h\\u0065ight":null}',
      '{"external_user_id":"a","external_user_id":"b","age":1}',
      '{"external_user_id":"a: {\\"b\\": [","height":1}',
    ].join('\n')
    expect(await codes(text)).toEqual([
      '2 height json_twice',
      '3 height json_twice',
      '4 external_user_id json_twice',
    ])
  })

  it('rejects a line whose form (long or wide) differs from the earlier lines', async () => {
    const long = line({ external_user_id: 'a', lookup_key: 'height', value: 1 })
    const wide = line({ external_user_id: 'b', height: 1 })
    expect(await codes(wide + long)).toEqual(['2 lookup_key json_form'])
    expect(await codes(long + wide)).toEqual(['2 lookup_key key_missing', '2 value value_missing'])
  })

  it('refuses a file with too many different keys', async () => {
    const lines = Array.from({ length: 2001 }, (_, n) => line({ external_user_id: 'a', [`key${n}`]: 1 }))
    await expect(codes(lines.join(''))).rejects.toThrow('the file has more than 2000 different keys')
  })

  it('accepts repeated keys that it does not read, and repeated keys in nested objects', async () => {
    const more = '"note":1,"note":2,"more":{"value":2,"value":3},"value2":{"lookup_key":1}'
    expect(await codes(`{"external_user_id":"a","lookup_key":"height","value":1,${more}}`)).toEqual([])
  })

  it('rejects lines that are not objects, values that are not scalars, and IDs without a UTF-8 form', async () => {
    const text = [
      '{"external_user_id":"a","lookup_key":"height","value":1}',
      '{"external_user_id":"a",',
      '[1]',
      '{"external_user_id":{},"lookup_key":"height","value":1}',
      '{"external_user_id":"\\ud800","lookup_key":"height","value":1}',
      '{"external_user_id":"a\\u0000","lookup_key":"height","value":1}',
      '{"lookup_key":"height","value":true}',
    ].join('\n')
    expect(await codes(text)).toEqual([
      '2 - json_invalid',
      '3 - json_invalid',
      '4 external_user_id json_type',
      '5 external_user_id user_control',
      '6 external_user_id user_control',
      '7 value json_type',
    ])
  })
})

describe('the plan', () => {
  it('counts users, requests at the batch size, and repeated pairs with their lines', async () => {
    const rows = ['b,height,1', 'a,height,1', 'b,weight,1', 'a,height,2', 'b,smoking,1', 'a,height,3']
    const { plan } = await check(`external_user_id,lookup_key,value\n${rows.join('\n')}\n`, { batchSize: 2 })
    expect(plan).toMatchObject({ users: 2, requests: 4 })
    expect(plan.repeats).toEqual({
      rows: 2,
      examples: [
        { lookup_key: 'height', line: 5, first_line: 3 },
        { lookup_key: 'height', line: 7, first_line: 3 },
      ],
    })
  })

  it('the plan contains the SHA-256 and the size of the original file', async () => {
    const bytes = Buffer.from('\ufeffexternal_user_id,lookup_key,value\na,height,1\n')
    for (const content of [bytes, gzipSync(bytes)]) {
      const { plan } = await check(content)
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect(plan.identity).toEqual({ sha256, bytes: content.length })
    }
  })

  it('counts the rows of each code and shows only the first problems', async () => {
    const { plan } = await check(`external_user_id,lookup_key,value\n${',height,x\n'.repeat(50)}`)
    expect(plan.problems).toHaveLength(20)
    expect(plan.problem_counts).toEqual([
      { code: 'user_missing', rows: 50 },
      { code: 'value_invalid', rows: 50 },
    ])
  })
})

describe('a whole number with a zero fraction', () => {
  it.each([
    ['61,0', 61],
    ['61.0', 61],
    ['-61,00', -61],
    ['0,0', 0],
  ])(
    'a whole number with a zero fraction is accepted as %s if the delimiter is a semicolon',
    async (text, value) => {
      const checked = await check(`external_user_id;lookup_key;value\na;weight;${text}\n`)
      expect((await checked.answers()).map((answer) => answer.value)).toEqual([value])
    },
  )

  it.each(['61,5', '61,000', '61,', ',0', '061,0', '61.000'])(
    'a whole number with a zero fraction is rejected as %s even if the delimiter is a semicolon',
    async (text) => {
      const { plan } = await check(`external_user_id;lookup_key;value\na;weight;${text}\n`)
      expect(plan.problems).toMatchObject([{ code: 'value_invalid', user: 'a' }])
    },
  )

  it('a whole number with a zero fraction is accepted if the delimiter is a comma', async () => {
    const checked = await check('external_user_id,lookup_key,value\na,weight,"61,0"\n')
    expect((await checked.answers()).map((answer) => answer.value)).toEqual([61])
  })
})

it('writes one record for a wide row with thousands of invalid cells', async () => {
  const keys = Array.from({ length: 3000 }, (_, n) => `key_${n}`)
  const values = keys.map((_, n) => (n === 5 ? '7' : 'x'))
  const checked = await check(
    `external_user_id,${keys.join(',')}\na,${values.join(',')}\n`,
    {},
    { knownKeys: keys },
  )
  expect(checked.plan).toMatchObject({ answers: 1, invalid: 2999, rows: 3000 })
  const lines = (await checked.rejectsText())!.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^a,x,x,x,x,x,,x,.*,value_invalid,"value must be a whole number, got ""x"""$/)
})
