import { describe, expect, it } from 'vitest'
import { UnclearFile } from '../../src/bulk/questions.ts'
import { faults, good, header, problemOf } from './dirty-file.ts'
import { brief, check } from './import-input.ts'

describe('answer values', () => {
  it.each(['0', '-7', '180', '9007199254740991', '-9007199254740991'])(
    'an import accepts the answer value %s',
    async (value) => {
      const checked = await check(`${header}\na,height,${value}\n`)
      expect((await checked.answers())[0]?.value).toBe(Number(value))
    },
  )

  it('an import reads the answer value -0 as 0', async () => {
    expect((await (await check(`${header}\na,height,-0\n`)).answers())[0]?.value).toBe(0)
  })

  it.each([
    ['"1,5"', 'does not support decimals'],
    ['1.000', 'remove the decimal part'],
    ['007', 'remove the leading zeros'],
    ['1e3', 'without an exponent'],
    ['１２', 'use the digits 0 to 9'],
    ['٧٠', 'use the digits 0 to 9'],
    ['1’080', 'remove the thousands separators'],
    ['+3', 'remove the plus sign'],
    ['3 kg', 'must be a whole number'],
    ['"1,000,000"', 'remove the thousands separators'],
    ['three', 'must be a whole number'],
    ['0x10', 'must be a whole number'],
    ['-', 'must be a whole number'],
  ])('an import rejects the answer value %s and prints a hint', async (value, hint) => {
    expect(await problemOf(`a,height,${value}`)).toMatchObject({
      code: 'value_invalid',
      column: 'value',
      message: expect.stringContaining(hint),
    })
  })

  it.each(['9007199254740992', '-9007199254740993', '1'.repeat(400)])(
    'an import rejects the answer value %s as out of range',
    async (value) => {
      expect(await problemOf(`a,height,${value}`)).toMatchObject({ code: 'value_range' })
    },
  )
})

describe('time zones of a file', () => {
  const zoned = `${header},timezone`

  it('an import corrects the case of time zones, keeps aliases, and uses --timezone for rows without a time zone', async () => {
    const text = `${zoned}\na,height,1,europe/berlin\nb,height,1,asia/kolkata\nc,height,1,\n`
    const zones = (await (await check(text)).answers()).map(({ timezone }) => timezone)
    expect(zones).toEqual(['Europe/Berlin', 'Asia/Kolkata', 'Europe/Amsterdam'])
  })

  it('an import rejects UTC offsets and unknown time zones', async () => {
    const text = `${zoned}\na,height,1,+02:00\nb,height,1,Amsterdam\n`
    expect(await faults(text)).toEqual(['2 timezone_offset', '3 timezone_unknown'])
  })

  it('if --timezone is not set and other rows have a time zone, an import rejects a row without a time zone', async () => {
    const text = `${zoned}\na,height,1,UTC\nb,height,1,\n`
    expect(await faults(text, { timezone: undefined })).toEqual(['3 timezone_missing'])
  })

  it.each([
    ['answers.csv', good, 'the file has no timezone column'],
    ['answers.csv', `${zoned}\na,height,1,\nb,height,1,\n`, 'no row has a time zone'],
    ['answers.jsonl', '{"external_user_id":"a","height":1}\n', 'no row has a time zone'],
  ])(
    'if no row of %s has a time zone, an import refuses the file, and one error suggests --timezone: %j',
    async (name, text, problem) => {
      await expect(check(text, { timezone: undefined }, { name })).rejects.toMatchObject({
        message: expect.stringContaining(`${problem}; set the time zone of all rows`),
        flags: expect.stringMatching(/^--timezone \S+$/),
      })
    },
  )

  it('if a timezone column is first and empty, an import reports that no row has a time zone', async () => {
    const checking = check(`timezone,${header}\n,a,height,1\n`, { timezone: undefined })
    await expect(checking).rejects.toThrow('no row has a time zone')
  })

  it('on a machine in UTC, the prompt for the time zone of a file offers UTC first, and then every other zone', async () => {
    const error: unknown = await check(good, { timezone: undefined }).catch((cause: unknown) => cause)
    if (!(error instanceof UnclearFile)) throw new Error('the file can be read')
    const [prompt] = error.questions[0]?.prompts ?? []
    const zones = prompt?.choices.map(({ name }) => name) ?? []
    expect(prompt?.likely).toBe(1)
    expect(zones[0]).toBe('UTC')
    expect([...zones.slice(1), 'UTC'].sort()).toEqual(
      [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort(),
    )
  })
})

describe('user IDs of a file', () => {
  it.each([
    ['without --ids', 'B C', undefined],
    ['with --ids exact', ' B C ', 'exact'],
  ] as const)('an import %s reads the ID " B C " as "%s", and keeps the case of IDs', async (_, id, ids) => {
    const checked = await check(`${header}\n" B C ",height,1\na,height,1\nÀ,height,1\n`, { ids })
    expect((await checked.answers()).map(({ user }) => user.id).sort()).toEqual([id, 'a', 'À'])
    expect(checked.plan.users).toBe(3)
  })

  it.each(['\u00a0a\u200b', '\ufeffa', ' a', '\u2007a\u202f'])(
    'an import removes invisible characters around the ID %j',
    async (id) => {
      expect(brief(await (await check(`${header}\n${id}, height ,"1 "\n`)).answers())).toEqual([
        'a height 1 Europe/Amsterdam',
      ])
    },
  )

  const damaged = [
    '#N/A',
    '#WAARDE!',
    '####',
    '5.002E+03',
    '5,002E+3',
    '1E+15',
    'TRUE',
    'ONWAAR',
    '=""000123""',
    'Sandt',
  ]

  it('an import rejects IDs that a spreadsheet has changed, and accepts them with --ids exact', async () => {
    const text = `${header}\n${damaged.map((id) => `"${id}",height,1`).join('\n')}\n`
    const { plan } = await check(text)
    expect(plan.problems.map(({ user, code }) => `${user} ${code}`)).toEqual(
      damaged.slice(0, -1).map((id) => `${id.replaceAll('""', '"')} user_damaged`),
    )
    expect((await check(text, { ids: 'exact' })).plan).toMatchObject({ answers: 10, invalid: 0 })
  })

  it('an import refuses a file that has no column of answers, such as a list of users', async () => {
    await expect(check('external_user_id,name\n4711,Ann\n')).rejects.toThrow(
      'has no column with answers; its columns are "external_user_id", "name"',
    )
  })

  it('an import rejects IDs that contain control characters', async () => {
    for (const character of ['\t', '\n', '\x7f', '\x1b', '\u0085']) {
      for (const id of [`a${character}b`, `user-${character}-4711`]) {
        expect(await problemOf(`"${id}",height,1`)).toMatchObject({ code: 'user_control' })
      }
    }
  })

  it('an import accepts UUIDs with and without dashes as user_id, and rejects other IDs', async () => {
    const rows = ['5151d12e-2f9a-4d7a-962f-fd85d23bd68b', '5151d12e2f9a4d7a962ffd85d23bd68b', '4711']
    const text = `user_id,lookup_key,value\n${rows.map((id) => `${id},height,1`).join('\n')}\n`
    expect(await faults(text)).toEqual(['4 user_not_uuid'])
    expect((await (await check(text)).answers())[0]?.user.kind).toBe('user_id')
  })

  it('an import accepts rows with either user ID, or with both IDs of one user', async () => {
    const id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
    const other = id.replace('5', '6')
    const rows = ['a,', `,${id}`, `b,${id}`, ',', `b,${other}`, 'c,x', `d,${id}`]
    const text = `external_user_id,user_id,lookup_key,value\n${rows.map((row) => `${row},height,1`).join('\n')}\n`
    const findOtherUsers = async (expected: ReadonlyMap<string, string>) => {
      expect([...expected]).toEqual([
        ['b', id],
        ['d', id],
      ])
      return new Set(['d'])
    }
    const checked = await check(text, {}, { findOtherUsers })
    expect(checked.plan.problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '5 user_missing',
      '6 user_both',
      '7 user_not_uuid',
      '8 user_both',
    ])
    expect((await checked.answers()).map(({ user }) => user.kind).sort()).toEqual([
      'external_user_id',
      'external_user_id',
      'user_id',
    ])
  })

  it('an import rejects a user ID that is too long for a URL', async () => {
    expect(await problemOf(`${'x'.repeat(1025)},height,1`)).toMatchObject({ code: 'user_too_long' })
    expect((await check(`${header}\n${'x'.repeat(1024)},height,1\n`)).plan.answers).toBe(1)
  })

  it('an import reports the user ID of an invalid row in a separate field, not in the message', async () => {
    const { plan } = await check(`${header}\n4711,hight,x\n`)
    expect(plan.problems.map(({ user }) => user)).toEqual(['4711', '4711'])
    expect(plan.problems.map(({ message }) => message).join()).not.toContain('4711')
  })
})
