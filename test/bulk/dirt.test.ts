import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { orUndefined } from '../../src/base/functions.ts'
import { openInput } from '../../src/bulk/open-input.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { brief, check } from './import-input.ts'

const header = 'external_user_id,lookup_key,value'
const good = `${header}\na,height,180\nb,weight,70\n`
const goodAnswers = ['a height 180 Europe/Amsterdam', 'b weight 70 Europe/Amsterdam']

const utf16 = (text: string, mark: 'LE' | 'BE' | 'none') => {
  const bytes = Buffer.from(`${mark === 'none' ? '' : '\ufeff'}${text}`, 'utf16le')
  return mark === 'BE' ? bytes.swap16() : bytes
}

/** The problems of a text, each as its line and code. */
const faults = async (text: string | Buffer, settings = {}, options = {}) => {
  const { plan } = await check(text, settings, options)
  return plan.problems.map(({ line, code }) => `${line} ${code}`)
}

const problemOf = async (row: string, columns = header) => {
  const { plan } = await check(`${columns}\n${row}\n`)
  return plan.problems[0]
}

describe('text encodings of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(good)],
    ['UTF-8 with BOM', Buffer.from(`\ufeff${good}`)],
    ['UTF-16LE', utf16(good, 'LE')],
    ['UTF-16BE', utf16(good, 'BE')],
  ])('an import reads a file in %s and reports the encoding', async (encoding, bytes) => {
    const checked = await check(bytes)
    expect(checked.plan).toMatchObject({ encoding, rows: 2, answers: 2, users: 2 })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it('an import reads letters from any script unchanged from a UTF-16 file', async () => {
    const checked = await check(utf16(`${header}\nŁ😀ö,height,1\n`, 'LE'))
    expect(brief(await checked.answers())).toEqual(['Ł😀ö height 1 Europe/Amsterdam'])
  })

  it('an import refuses a file with NUL bytes and without a byte order mark, and states the reason', async () => {
    await expect(check(utf16(good, 'none'))).rejects.toThrow(
      /NUL byte at offset 1; it is probably UTF-16 without a byte order mark/,
    )
    await expect(check(utf16(good, 'none'))).rejects.toMatchObject({ flags: '--encoding utf-16le' })
    const bigEndian = utf16(good.replaceAll('weight', 'gewicht 言'), 'none').swap16()
    await expect(check(bigEndian)).rejects.toMatchObject({ flags: '--encoding utf-16be' })
    await expect(check(`${good}c,height,\0\n`)).rejects.toThrow('so it is not a text file')
  })

  it.each([
    ['windows-1250', 'Płeć', 0xb3],
    ['macintosh', 'José', 0x8e],
  ])(
    'the error for an ID in an unknown encoding shows the ID as it looks in %s, but selects no encoding',
    async (encoding, id, byte) => {
      const bytes = Buffer.from(`${header}\n?1,height,180\n`)
      bytes[bytes.indexOf('?')] = byte
      await expect(check(bytes)).rejects.toMatchObject({
        flags: '',
        message: expect.stringContaining(
          `--encoding ${encoding} (${encoding}: ${id.slice(1, 2) === 'ł' ? 'ł' : 'é'}1)`,
        ),
      })
    },
  )

  it.each([
    ['a"b,height\n', 'has a misplaced quote'],
    ['a'.repeat(2 ** 21), 'does not end within 1 MiB'],
  ])(
    'an import refuses a header with a misplaced quote and a header longer than 1 MiB',
    async (bytes, fault) => {
      await expect(check(bytes)).rejects.toThrow(`the header ${fault}`)
    },
  )

  it.skipIf(process.platform !== 'linux')('an import closes a file that it refuses', async () => {
    const path = join(temporaryFolder(), 'refused.xlsx')
    writeFileSync(path, Buffer.from('PK\x03\x04', 'latin1'))
    await expect(openInput(path, Readable.from([]))).rejects.toThrow('damaged workbook')
    // The folder also lists the descriptor that readdirSync used, which is already closed.
    const open = readdirSync('/proc/self/fd').map((fd) =>
      orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)),
    )
    expect(open).not.toContain(path)
  })

  it('an import refuses a UTF-16 file that ends in the middle of a character', async () => {
    await expect(check(utf16(good, 'LE').subarray(0, -1))).rejects.toThrow(/not valid UTF-16/)
  })

  it('an import reads a file in Windows-1252 without --encoding only if all cells that the import uses are ASCII', async () => {
    const used = Buffer.from(`${header}\nJosé,height,1\nb,height,1\n`, 'latin1')
    await expect(check(used)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('If its encoding is windows-1252, line 2 contains "José"'),
      flags: '--encoding windows-1252',
    })
    const told = await check(used, {}, { encoding: 'windows-1252' })
    expect(brief(await told.answers())[0]).toBe('José height 1 Europe/Amsterdam')
    const unused = Buffer.from(`${header},Cave\na,height,180,Zoë\nb,weight,70,é\nc,x,1,€ü\n`, 'latin1')
    const checked = await check(unused)
    expect(checked.plan).toMatchObject({ encoding: 'windows-1252', answers: 2 })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
    expect(await checked.rejectsText()).toContain('ü')
    expect(checked.plan.identity.bytes).toBe(unused.length)
  })
})

/** The bytes of a text in an encoding with one byte per letter. */
function encoded(text: string, encoding: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const letters = bytes.map((byte) => new TextDecoder(encoding).decode(Uint8Array.of(byte)))
  return Buffer.from([...text].map((letter) => letters.indexOf(letter)))
}

test.each([
  ['Kovács,height,1\nŐri,height,2', 'windows-1250', ''],
  ['Kovács,height,1\nÓri,height,2', 'windows-1250', '--encoding windows-1252'],
  ['Žluťoučký,height,1', 'windows-1250', ''],
  ['Tomáš,height,1', 'iso-8859-2', ''],
  ['Ayşe,height,1', 'windows-1254', ''],
  ['Michèle,height,1', 'windows-1252', ''],
  ['García,height,1\nZoë,height,2', 'windows-1252', '--encoding windows-1252'],
  ['José,height,1', 'macintosh', ''],
  ['Иван,height,1', 'windows-1251', ''],
])(
  'the error for a file with the rows %j in %s suggests the flag "%s" (empty if several encodings fit)',
  async (rows, encoding, flags) => {
    const bytes = encoded(`${header}\n${rows}\n`, encoding)
    await expect(check(bytes)).rejects.toMatchObject({ exitCode: 2, flags })
    const all = brief(await (await check(bytes, {}, { encoding })).answers())
    expect(all.map((answer) => answer.split(' ')[0])).toEqual(
      rows.split('\n').map((row) => row.split(',')[0]),
    )
  },
)

test.each([
  ['Płeć', 'windows-1250', 'windows-1250: Płeć'],
  ['José', 'macintosh', 'macintosh: José'],
])(
  'the error for a file in an unknown encoding shows the column name %s as it looks in %s',
  async (name, encoding, shown) => {
    const bytes = encoded(`${header},${name}\na,height,180,x\n`, encoding)
    await expect(check(bytes)).rejects.toThrow(shown)
    expect((await check(bytes, {}, { encoding })).plan.ignored_columns).toEqual([name])
  },
)

describe('lines of a file', () => {
  it('an import accepts a file that mixes the line endings CRLF, CR, and LF', async () => {
    const checked = await check(`${header}\r\na,height,180\rb,weight,70\n`)
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it.each(['\u0085', '\u2028', '\f', '\x1e'])(
    'an import refuses a file whose lines end with %j, because the import would find only a header',
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
  it('an import refuses a header with a repeated column', async () => {
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
    'an import refuses a JSON list, and explains how to convert it to JSON lines: %j',
    async (text) => {
      await expect(check(text, {}, { name: 'answers.json' })).rejects.toThrow(
        'answers.json is a JSON array; one JSON object per line is required',
      )
    },
  )

  it('the error for a file without a column of user IDs lists the columns of the file', async () => {
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
  it('an import rejects rows with a stray quote or a wrong number of cells, and reads the rows after them', async () => {
    const text = `${header}\na"b,height,1\nc,height\nd,height,1,2\n"e"f,height,1\ng,height,1\n`
    expect(await faults(text)).toEqual(['2 stray_quote', '3 short_row', '4 long_row', '5 stray_quote'])
    expect((await check(text)).plan.answers).toBe(1)
  })

  it('an import accepts an empty last cell in each row if the last column has no name', async () => {
    const text = `${header},\na,height,1,\nb,height,1,x\nc,height,1\n`
    expect(await faults(text)).toEqual(['3 long_row', '4 short_row'])
    expect(await faults(`${header}\na,height,1,\n`)).toEqual([])
  })

  it('an import refuses a file with a quote that is never closed, and reports the line of the quote', async () => {
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
  ])('an import rejects the answer value %s with a hint', async (value, hint) => {
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

  it('an import corrects the case of time zones, keeps their aliases, and uses --timezone for rows without a time zone', async () => {
    const text = `${zoned}\na,height,1,europe/berlin\nb,height,1,asia/kolkata\nc,height,1,\n`
    const zones = (await (await check(text)).answers()).map(({ timezone }) => timezone)
    expect(zones).toEqual(['Europe/Berlin', 'Asia/Kolkata', 'Europe/Amsterdam'])
  })

  it('an import rejects UTC offsets and unknown time zones', async () => {
    const text = `${zoned}\na,height,1,+02:00\nb,height,1,Amsterdam\n`
    expect(await faults(text)).toEqual(['2 timezone_offset', '3 timezone_unknown'])
  })

  it('an import rejects a row without a time zone if --timezone is not set', async () => {
    expect(await faults(`${zoned}\na,height,1,\n`, { timezone: undefined })).toEqual(['2 timezone_missing'])
    await expect(check(good, { timezone: undefined })).rejects.toThrow(/no timezone column/)
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

  it('an import refuses a file without a column that contains answers, such as a list of users', async () => {
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

  it('an import accepts either kind of user ID in a row, and both if they belong to the same user', async () => {
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

  it('an import reports the user ID of an invalid row in its own field, not in the message', async () => {
    const { plan } = await check(`${header}\n4711,hight,x\n`)
    expect(plan.problems.map(({ user }) => user)).toEqual(['4711', '4711'])
    expect(plan.problems.map(({ message }) => message).join()).not.toContain('4711')
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
    'an import refuses a file if removing spaces or adding zeros makes two of its user IDs equal: %j',
    async (text, settings) => {
      await expect(check(text, settings)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/are the same user ID after spaces are removed/),
      })
      expect((await check(text, { ids: 'exact' })).plan.users).toBe(2)
    },
  )

  it('an import reads UTF-16 without a byte order mark if --encoding is set', async () => {
    const checked = await check(utf16(good, 'none'), {}, { encoding: 'utf-16le' })
    expect(brief(await checked.answers())).toEqual(goodAnswers)
  })

  it('an import adds lost leading zeros to IDs with --ids pad:N', async () => {
    const text = `${header}\n000101,height,1\n000103,height,1\n102,height,1\n`
    await expect(check(text)).rejects.toMatchObject({ flags: '--ids keep' })
    const padded = await check(text, { ids: 6 })
    expect((await padded.answers()).map(({ user }) => user.id).sort()).toEqual(['000101', '000102', '000103'])
    expect(padded.plan.normalized.restored_ids).toBe(1)
  })
})
