import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brief, check } from './import-input.ts'

describe('wide form', () => {
  const header = 'external_user_id,height,weight,smoking'

  it('a file with one column per question is a wide file, and its empty cells are not answers', async () => {
    const checked = await check(`${header}\na,180,70,\nb,,,1\nc,,,\n`)
    expect(checked.plan).toMatchObject({ form: 'wide', rows: 3, answers: 3, skipped: 1, users: 2 })
    expect(brief(await checked.answers())).toEqual([
      'a height 180 Europe/Amsterdam',
      'a weight 70 Europe/Amsterdam',
      'b smoking 1 Europe/Amsterdam',
    ])
  })

  it.each([
    ['external_user_id,Weight (kg),weight', "--ignore-columns 'Weight (kg)'"],
    ['external_user_id,height,Weigt', '--map Weigt=weight'],
    ['external_user_id,height,What is your weight?', ''],
    ['external_user_id,height,weight_lb', '--ignore-columns weight_lb'],
    ['external_user_id,height,What is your weight (lbs)?', "--ignore-columns 'What is your weight (lbs)?'"],
    ['external_user_id,height,WeightLbs', '--ignore-columns WeightLbs'],
    ['external_user_id,height,weight_kg', '--map weight_kg=weight'],
    ['external_user_id,smoking,eight', '--ignore-columns eight'],
  ])('the error for a wide file with the header %j suggests the flags "%s"', async (header, flags) => {
    await expect(check(`${header}\na,71,70\n`)).rejects.toMatchObject({ exitCode: 2, flags })
  })

  it('in a wide file, an import counts each cell as one row and ignores empty cells', async () => {
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

  it('an invalid user or time zone rejects all cells of a row in a wide file', async () => {
    const { plan } = await check(`external_user_id,timezone,height\n,+1,x\na,UTC,180\n`)
    expect(plan).toMatchObject({ rows: 2, invalid: 1, answers: 1 })
    expect(plan.problems.map(({ column, code }) => `${column} ${code}`)).toEqual([
      'external_user_id user_missing',
      'timezone timezone_offset',
      'height value_invalid',
    ])
  })

  it('--map NAME=KEY reads a column as the answers for KEY, and --map NAME= ignores the column', async () => {
    const map = { Length: 'height', Name: '' }
    const checked = await check('external_user_id,Name,Length\na,Ann,180\n', { map })
    expect(brief(await checked.answers())).toEqual(['a height 180 Europe/Amsterdam'])
    expect(checked.plan.columns).toContainEqual({ header: 'Length', read_as: 'height' })
  })
})

describe('users of a file', () => {
  it.each([
    ['a,\nb,', 'one kind'],
    [',5151d12e-2f9a-4d7a-962f-fd85d23bd68b\n,6151d12e-2f9a-4d7a-962f-fd85d23bd68b', 'one kind'],
    ['a,\n,5151d12e-2f9a-4d7a-962f-fd85d23bd68b', 'both kinds'],
  ])(
    'if a file has the user IDs %j, the check of the file and the check of each shard find %s of user ID',
    async (users, kinds) => {
      const rows = users.split('\n').map((ids) => `${ids},height,180\n`)
      const text = `external_user_id,user_id,lookup_key,value\n${rows.join('')}`
      const shards = [undefined, { index: 0, count: 2 }, { index: 1, count: 2 }]
      for (const shard of shards)
        expect((await check(text, { shard })).hasBothIds).toBe(kinds === 'both kinds')
    },
  )
})

describe('lookup keys of a file', () => {
  it('an import sorts unknown lookup keys by frequency and shows the most similar known key for each', async () => {
    const rows = ['a,hight,1', 'b,Average-Sleep Hours,1', 'c,hight,1', 'd,zzz,1']
    const { plan } = await check(`external_user_id,lookup_key,value\n${rows.join('\n')}\n`)
    expect(plan.unknown_keys).toEqual([
      { key: 'hight', rows: 2, first_line: 2, nearest: 'height' },
      { key: 'Average-Sleep Hours', rows: 1, first_line: 3, nearest: 'average_sleep_hours' },
      { key: 'zzz', rows: 1, first_line: 5, nearest: undefined },
    ])
    expect(plan.problems[0]?.message).toContain('did you mean "height"?')
  })

  it('the plan of an import shows only the start of an unknown lookup key of 5000 characters', async () => {
    const { plan } = await check(`external_user_id,lookup_key,value\na,${'note '.repeat(1000)},1\n`)
    expect(plan.unknown_keys).toEqual([
      { key: `${'note '.repeat(12)}…`, rows: 1, first_line: 2, nearest: undefined },
    ])
  })

  it('an import accepts every lookup key if the list of known lookup keys is not available', async () => {
    const { plan } = await check(
      'external_user_id,lookup_key,value\na,hight,1\n',
      {},
      { knownKeys: undefined },
    )
    expect(plan).toMatchObject({ answers: 1, unknown_keys: [] })
  })
})

describe('files with JSON lines', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const codes = async (text: string) => {
    const { plan } = await check(text, {}, { name: 'answers.jsonl' })
    return plan.problems.map(({ line: at, column, code }) => `${at} ${column ?? '-'} ${code}`)
  }

  it('an import reads JSON lines in long form whose IDs and values are strings or numbers', async () => {
    const text =
      line({ external_user_id: 'a', lookup_key: 'height', value: 180, timezone: 'utc' }) +
      '\r\n' +
      line({ value: '70', external_user_id: 8, lookup_key: 'weight', note: 'x' })
    const checked = await check(text, {}, { name: 'answers.jsonl' })
    expect(checked.plan).toMatchObject({ format: 'jsonl', form: 'long', rows: 2, skipped: 1 })
    const columns = checked.plan.columns.map((column) => column.read_as)
    expect(columns).toEqual(['external_user_id', 'lookup_key', 'value', 'timezone'])
    expect(brief(await checked.answers())).toEqual(['a height 180 UTC', '8 weight 70 Europe/Amsterdam'])
  })

  it('an import removes spaces that are written as escapes in JSON lines', async () => {
    const checked = await check(
      '{"external_user_id":"\\u00a0a\\u0020","height":180}\n',
      {},
      { name: 'answers.jsonl' },
    )
    expect(brief(await checked.answers())).toEqual(['a height 180 Europe/Amsterdam'])
  })

  it('an import reads JSON lines in wide form, ignores null values, and accepts new keys in later lines', async () => {
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

  it('an import renames the keys of JSON lines with --map', async () => {
    const map = { patient: 'external_user_id', q: 'lookup_key', a: 'value' }
    const checked = await check(line({ patient: 'a', q: 'height', a: 3 }), { map }, { name: 'answers.jsonl' })
    expect(brief(await checked.answers())).toEqual(['a height 3 Europe/Amsterdam'])
  })

  it.each([
    [
      line({ Personeelsnummer: 'a', Vraag: 'height', Antwoord: 180 }),
      '--map Personeelsnummer=external_user_id --map Vraag=lookup_key --map Antwoord=value',
    ],
    [
      line({ matricule: 'a', Taille: 180 }) + line({ matricule: 'b', Poids: 72 }),
      '--map matricule=external_user_id --map Taille=height --map Poids=weight',
    ],
    [line({ external_user_id: 'a', weght: 72 }), '--map weght=weight'],
  ])(
    'an import refuses JSON lines with unknown or misspelled keys and suggests --map: %j',
    async (text, flags) => {
      const checked = check(text, {}, { name: 'answers.jsonl' })
      await expect(checked).rejects.toMatchObject({ exitCode: 2, flags })
    },
  )

  it('an import refuses JSON lines without a key for the user ID', async () => {
    const checked = check(line({ name: 'a b', height: 180 }), {}, { name: 'answers.jsonl' })
    await expect(checked).rejects.toThrow('no column is named external_user_id or user_id')
  })

  it('an import rejects a JSON line if its number has decimals, has an exponent, or is too large', async () => {
    const row = (value: string) => `{"external_user_id":"a1e3","lookup_key":"height","value":${value}}\n`
    expect(await codes(row('1.000') + row('1e3') + row('9007199254740993') + row('1.5') + row('7'))).toEqual([
      '1 value value_invalid',
      '2 value value_invalid',
      '3 value value_range',
      '4 value value_invalid',
    ])
  })

  it('in a JSON line, an import accepts any value of a key that it does not read', async () => {
    const more = '"note":true,"list":[1e3],"text":"\\"value\\":1.5","more":{"value":2.0}'
    expect(await codes(`{"external_user_id":"a","lookup_key":"height","value":1,${more}}`)).toEqual([])
  })

  it.each([
    ['{"external_user_id":"a","height":1,"room":"B","sheets":3}', '--ignore-columns sheets'],
    ['{"external_user_id":"a","lookup_key":"height","value":1,"sheets":3}', '--ignore-columns sheets'],
  ])(
    'an import requires --map or --ignore-columns for an unknown key with numbers in JSON lines: %s',
    async (text, flags) => {
      const checking = check(text, {}, { name: 'answers.jsonl' })
      await expect(checking).rejects.toMatchObject({ exitCode: 2, flags })
      const checked = await check(text, { ignoreColumns: ['sheets'] }, { name: 'answers.jsonl' })
      expect(checked.plan).toMatchObject({ answers: 1, invalid: 0 })
    },
  )

  it('an import refuses JSON lines in which no key can contain answers', async () => {
    const text = line({ external_user_id: 'a', email: 'x@example.com' })
    await expect(check(text, {}, { name: 'answers.jsonl' })).rejects.toThrow('has no column with answers')
  })

  it('an import rejects a JSON line if the key of an answer or of the user ID occurs twice', async () => {
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

  it('an import rejects JSON lines whose form (wide or long) differs from the form of the first line', async () => {
    const long = line({ external_user_id: 'a', lookup_key: 'height', value: 1 })
    const wide = line({ external_user_id: 'b', height: 1 })
    expect(await codes(wide + long)).toEqual(['2 lookup_key json_form'])
    expect(await codes(long + wide)).toEqual(['2 lookup_key key_missing', '2 value value_missing'])
  })

  it('an import refuses a file of JSON lines with too many different keys', async () => {
    const lines = Array.from({ length: 2001 }, (_, n) => line({ external_user_id: 'a', [`key${n}`]: 1 }))
    await expect(codes(lines.join(''))).rejects.toThrow('the file has more than 2000 different keys')
  })

  it('an import accepts a JSON line with a repeated key if this key is nested or not read', async () => {
    const more = '"note":"a","note":"b","more":{"value":2,"value":3},"value2":{"lookup_key":1}'
    expect(await codes(`{"external_user_id":"a","lookup_key":"height","value":1,${more}}`)).toEqual([])
  })

  it('an import rejects a JSON line that is not an object or that contains a nested value, a boolean, or an invalid ID', async () => {
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

describe('the plan of an import', () => {
  it('the plan of an import counts the users, the requests, and the repeated rows', async () => {
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

  it('the plan of an import contains the SHA-256 and the size of the input file', async () => {
    const bytes = Buffer.from('\ufeffexternal_user_id,lookup_key,value\na,height,1\n')
    for (const content of [bytes, gzipSync(bytes)]) {
      const { plan } = await check(content)
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect(plan.identity).toEqual({ sha256, bytes: content.length })
    }
  })

  it('the plan of an import counts invalid rows by error code, and lists the first problems', async () => {
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
    'the answer value %s is read as a whole number if semicolons separate the cells',
    async (text, value) => {
      const checked = await check(`external_user_id;lookup_key;value\na;weight;${text}\n`)
      expect((await checked.answers()).map((answer) => answer.value)).toEqual([value])
    },
  )

  it.each(['61,5', '61,000', '61,', ',0', '061,0', '61.000'])(
    'the value %s is rejected if semicolons separate the cells',
    async (text) => {
      const { plan } = await check(`external_user_id;lookup_key;value\na;weight;${text}\n`)
      expect(plan.problems).toMatchObject([{ code: 'value_invalid', user: 'a' }])
    },
  )

  it('the quoted value "61,0" is read as a whole number if commas separate the cells', async () => {
    const checked = await check('external_user_id,lookup_key,value\na,weight,"61,0"\n')
    expect((await checked.answers()).map((answer) => answer.value)).toEqual([61])
  })
})

it('a row with thousands of invalid cells is written once to answers.rejects.csv', async () => {
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
