import { describe, expect, it } from 'vitest'
import { faults, good, goodAnswers, header, utf16 } from './dirty-file.ts'
import { brief, check } from './import-input.ts'

describe('lines of a file', () => {
  it('an import accepts a file that mixes the line endings CRLF, CR, and LF', async () => {
    const checked = await check(`${header}\r\na,height,180\rb,weight,70\n`)
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it.each(['\u0085', '\u2028', '\f', '\x1e'])(
    'an import refuses a file whose lines end with %j',
    async (newline) => {
      const text = `${header},city${newline}a,height,180,x${newline}`
      await expect(check(text)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('the lines end with U+'),
      })
    },
  )

  it('an import keeps a newline inside quotes, and reports the line and byte at which the record starts', async () => {
    const text = `external_user_id,note,lookup_key,value\na,"one\ntwo\r\nthree",height,180\nb,,height,x\n`
    const { plan } = await check(text)
    expect(plan.answers).toBe(1)
    expect(plan.problems).toMatchObject([{ row: 1, line: 5, offset: text.indexOf('b,,') }])
  })

  it('an import skips and counts empty lines and rows whose cells are all empty', async () => {
    const { plan } = await check(`\n${header}\n\na,height,180\n\n,,\n  , \u00a0,\n,,,,\n   \n\n`)
    expect(plan).toMatchObject({ rows: 1, answers: 1, invalid: 0, skipped: 7 })
  })

  it('an import accepts a file that contains only a header, and refuses an empty file', async () => {
    expect((await check(`${header}\n`)).plan).toMatchObject({ rows: 0, users: 0, requests: 0 })
    expect((await check(header)).plan.rows).toBe(0)
    await expect(check('')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is empty'),
    })
  })
})

describe('delimiters of a file', () => {
  it.each([
    [';', 'header', good.replaceAll(',', ';')],
    ['\t', 'header', good.replaceAll(',', '\t')],
    [';', 'sep line', `sep=;\n${good.replaceAll(',', ';')}`],
    ['|', 'sep line', `"sep=|"\r\n${good.replaceAll(',', '|')}`],
    [',', 'header', good],
  ])('an import detects the delimiter %j from the %s', async (character, from, text) => {
    const checked = await check(text)
    expect(checked.plan).toMatchObject({ delimiter: { character, from }, rows: 2 })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it('an import uses --delimiter instead of the detected delimiter', async () => {
    const checked = await check(good.replaceAll(',', '!'), { delimiter: '!' })
    expect(checked.plan).toMatchObject({ delimiter: { character: '!', from: 'option' }, answers: 2 })
    expect((await check(good.replaceAll(',', '\t'), { delimiter: 'tab' })).plan.format).toBe('tsv')
    await expect(check(good, { delimiter: 'ab' })).rejects.toMatchObject({ exitCode: 2 })
  })

  it('an import detects the delimiter even if a column name contains another delimiter', async () => {
    const checked = await check('external_user_id;"lookup_key";value;"a, b, and c"\na;height;180;\n')
    expect(checked.plan).toMatchObject({
      answers: 1,
      delimiter: { character: ';' },
      ignored_columns: ['a, b, and c'],
    })
  })
})

describe('headers of a file', () => {
  it('an import refuses a header in which a column name occurs twice', async () => {
    await expect(check(`${header},value\n`)).rejects.toMatchObject({
      exitCode: 2,
      message: 'the header has value twice: columns 3 ("value") and 4 ("value")',
    })
  })

  it('an import refuses a file if --map renames a column to the name of another column', async () => {
    const map = { patient: 'external_user_id' }
    await expect(check(`patient,${header}\n`, { map })).rejects.toThrow(/external_user_id twice/)
  })

  it.each([
    ['4711,height,180\n4712,weight,81\n', {}],
    ['user-4711; 171 ;64\n', {}],
    ['4711,4711,180\n', { delimiter: ',' }],
  ])(
    'an import refuses a file whose first line is data, and does not print the line: %j',
    async (text, settings) => {
      const checking = check(text, settings)
      await expect(checking).rejects.toMatchObject({
        message: 'the first line contains data instead of a header',
      })
    },
  )

  it.each(['[{"external_user_id":"a","height":1}]', ' [\n  {"external_user_id":"a","height":1}\n]\n'])(
    'an import refuses a JSON list, and states that one JSON object per line is required: %j',
    async (text) => {
      await expect(check(text, {}, { name: 'answers.json' })).rejects.toThrow(
        'answers.json is a JSON array; one JSON object per line is required',
      )
    },
  )

  it('the error for a file that has no column of user IDs lists the columns of the file', async () => {
    await expect(check('who,lookup_key,value\n')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /the columns are "who", "lookup_key", "value": --map who=external_user_id /,
      ),
    })
    await expect(check('patient,lookup_key,value\n')).rejects.toMatchObject({
      flags: '--map patient=external_user_id',
    })
    await expect(check('external_user_id,value\n')).rejects.toThrow(
      /has a column "value" but no column "lookup_key"/,
    )
  })

  it('the error for a file that contains only an API key does not show the key', async () => {
    const key = `${'k1.'.repeat(13)}!`
    const error: unknown = await check(`${key}\n`).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('an API key or a token') })
    expect(JSON.stringify(error)).not.toContain(key)
  })

  it('an import renames columns with --map, and refuses --map for a column that does not exist', async () => {
    const map = { Patient: 'external_user_id', Question: 'lookup_key', Answer: 'value' }
    const checked = await check('Patient,Question,Answer\na,height,180\nb,weight,70\n', { map })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
    await expect(check(good, { map: { Patiant: 'external_user_id' } })).rejects.toThrow(/"Patiant"/)
  })
})

describe('rows of a file', () => {
  it('an import rejects rows with a stray quote or a wrong number of cells, and reads later rows', async () => {
    const text = `${header}\na"b,height,1\nc,height\nd,height,1,2\n"e"f,height,1\ng,height,1\n`
    expect(await faults(text)).toEqual(['2 stray_quote', '3 short_row', '4 long_row', '5 stray_quote'])
    expect((await check(text)).plan.answers).toBe(1)
  })

  it('an import accepts empty or missing cells in a last column without a name', async () => {
    const text = `${header},\na,height,1,\nb,height,1,x\nc,height,1\n`
    expect(await faults(text)).toEqual(['3 long_row'])
    expect(await faults(`${header}\na,height,1,\n`)).toEqual([])
  })

  it('an import refuses a file with an unclosed quote and reports the line of the quote', async () => {
    for (const [text, line] of [
      [`${header}\na,height,1\n"b,height,1\nc,height,1\n`, 3],
      [`${header}\n"a\r\n1",height,"1\nb,height,1\n`, 3],
    ] as const) {
      await expect(check(text)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`the quotation mark on line ${line} has no closing`),
      })
    }
  })

  it('an import refuses a record that does not end within 1 MiB', async () => {
    const rest = 'c,height,1\n'.repeat(300_000)
    await expect(check(`${header}\na,height,1\n"b,height,1\n${rest}`)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('the record on line 3 does not end within 1 MiB'),
    })
  })

  it('an import accepts a quoted cell of almost 1 MiB', async () => {
    const note = 'x'.repeat(1024 * 1024 - 100)
    const { plan } = await check(
      `external_user_id,lookup_key,value,note\na,height,1,"${note}"\nb,height,2,\n`,
    )
    expect(plan).toMatchObject({ answers: 2, invalid: 0 })
  })

  it('an import reports all errors of a row with the column names of the file', async () => {
    const map = { Patient: 'external_user_id' }
    const { plan } = await check('Patient,lookup_key,value,timezone\n,hight,1.5,+02:00\n', { map })
    expect(plan.problems.map(({ column, code }) => `${column} ${code}`)).toEqual([
      'Patient user_missing',
      'timezone timezone_offset',
      'lookup_key key_unknown',
      'value value_invalid',
    ])
  })
})

describe('files written by other programs', () => {
  it('an import accepts rows with more cells than the header if the additional cells are empty', async () => {
    const checked = await check('external_user_id;lookup_key;value\na;height;180;\nb;weight;70;;\n')
    expect(brief(await checked.answers())).toEqual(goodAnswers)
    expect(await faults('external_user_id;lookup_key;value\na;height;180;;x\n')).toEqual(['2 long_row'])
  })

  it.each([
    [`${header}\n 000125 ,height,1\n000125,weight,1\n`, {}],
    [`${header}\n000125,height,1\n000125\u00a0,weight,1\n`, {}],
    [`${header}\n000125 ,height,1\n 000125,weight,1\n`, {}],
    [`${header}\n000125,height,1\n125,weight,1\n`, { ids: 6 }],
  ])(
    'an import refuses IDs that become identical if spaces are removed or zeros are added: %j',
    async (text, settings) => {
      await expect(check(text, settings)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/are the same user ID after spaces are removed/),
      })
      expect((await check(text, { ids: 'exact' })).plan.users).toBe(2)
    },
  )

  it('if --encoding is set, an import reads UTF-16 even if the byte order mark is missing', async () => {
    const checked = await check(utf16(good, 'none'), {}, { encoding: 'utf-16le' })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it('with --ids pad:N, an import adds lost leading zeros to IDs', async () => {
    const text = `${header}\n000101,height,1\n000103,height,1\n102,height,1\n`
    await expect(check(text)).rejects.toMatchObject({ flags: '--ids keep' })
    const padded = await check(text, { ids: 6 })
    expect((await padded.answers()).map(({ user }) => user.id).sort()).toEqual(['000101', '000102', '000103'])
    expect(padded.plan.normalized.restored_ids).toBe(1)
  })
})
