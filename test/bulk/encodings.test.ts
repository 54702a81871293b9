import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { orUndefined } from '../../src/base/functions.ts'
import { openInput } from '../../src/bulk/open-input.ts'
import { UnclearFile } from '../../src/bulk/questions.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { encoded, good, goodAnswers, header, utf16 } from './dirty-file.ts'
import { brief, check } from './import-input.ts'

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

  it('an import does not change the letters of any script in a UTF-16 file', async () => {
    const checked = await check(utf16(`${header}\nŁ😀ö,height,1\n`, 'LE'))
    expect(brief(await checked.answers())).toEqual(['Ł😀ö height 1 Europe/Amsterdam'])
  })

  it('an import refuses a file that has NUL bytes but no byte order mark', async () => {
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
    'the error for an unknown encoding suggests %s and shows an ID in this encoding',
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
    // readdirSync also returns its own descriptor. That descriptor is closed now, so readlinkSync fails for it.
    const open = readdirSync('/proc/self/fd').map((fd) =>
      orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)),
    )
    expect(open).not.toContain(path)
  })

  it('an import refuses a UTF-16 file that ends in the middle of a character', async () => {
    await expect(check(utf16(good, 'LE').subarray(0, -1))).rejects.toThrow(/not valid UTF-16/)
  })

  it('if --encoding is not set, an import reads a Windows-1252 file only if the used cells are ASCII', async () => {
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

test.each([
  ['Kovács,height,1\nŐri,height,2', 'windows-1250', ''],
  ['Kovács,height,1\nÓri,height,2', 'windows-1250', '--encoding windows-1252'],
  ['Žluťoučký,height,1', 'windows-1250', ''],
  ['Tomáš,height,1', 'iso-8859-2', ''],
  ['Ayşe,height,1', 'windows-1254', ''],
  ['Michèle,height,1', 'windows-1252', ''],
  ['García,height,1\nZoë,height,2', 'windows-1252', '--encoding windows-1252'],
  ['García\u00a0,height,1\nZoé,height,2', 'windows-1252', '--encoding windows-1252'],
  ['José,height,1', 'macintosh', ''],
  ['Иван,height,1', 'windows-1251', ''],
  ['Άννα,height,1', 'iso-8859-7', ''],
])('the error for a file with the rows %j in %s suggests the flag "%s"', async (rows, encoding, flags) => {
  const bytes = encoded(`${header}\n${rows}\n`, encoding)
  await expect(check(bytes)).rejects.toMatchObject({ exitCode: 2, flags })
  const all = brief(await (await check(bytes, {}, { encoding })).answers())
  expect(all.map((answer) => answer.split(' ')[0])).toEqual(
    rows.split('\n').map((row) => row.split(',')[0]?.trim()),
  )
})

test.each([
  ['Płeć', 'windows-1250', 'windows-1250: Płeć'],
  ['José', 'macintosh', 'macintosh: José'],
])(
  'if the encoding is unknown, the error shows the column name %s in the possible encoding %s',
  async (name, encoding, shown) => {
    const bytes = encoded(`${header},${name}\na,height,180,x\n`, encoding)
    await expect(check(bytes)).rejects.toThrow(shown)
    expect((await check(bytes, {}, { encoding })).plan.ignored_columns).toEqual([name])
  },
)

/** The question about the encoding of a file with this text. The text has one byte per letter. */
async function questionAbout(text: string) {
  const error: unknown = await check(Buffer.from(text, 'latin1')).catch((cause: unknown) => cause)
  if (!(error instanceof UnclearFile)) throw new Error('the file can be read')
  const [{ problem, prompts: [prompt] = [] } = { problem: '' }] = error.questions
  return { problem, label: prompt?.label, choices: prompt?.choices.map(({ name }) => name) ?? [] }
}

const readings = ['windows-1252: José', 'windows-1251: Josй', 'windows-1253: Josι', 'windows-1255: Josי']
const otherReadings = [
  'windows-874: Jos้',
  'macintosh: JosÈ',
  'ibm866: Josщ',
  'koi8-r: JosИ',
  'ibm850: JosÚ',
  'ibm437: JosΘ',
]

test('the question about an unknown encoding omits an encoding that decodes the words to the same text as another offered encoding', async () => {
  const question = await questionAbout(`${header}\nJosé,height,1\n`)
  expect(question.label).toBe('Encoding of line 2')
  expect(question.choices).toEqual([...readings, ...otherReadings])
})

test.each([
  ['Jos\xa0', 'ibm850', 'Josá'],
  ['Dvo\xfd\xa0', 'ibm852', 'Dvořá'],
  ['\x88\xa2\xa0\xad', 'ibm866', 'Иван'],
])(
  'the question offers %j in %s, although the last byte is a space in Windows-1252',
  async (bytes, encoding, id) => {
    const text = `${header}\n${bytes},height,1\n`
    const { choices } = await questionAbout(text)
    expect(choices).toContain(`${encoding}: ${id}`)
    await expect(check(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ flags: '' })
    const checked = await check(Buffer.from(text, 'latin1'), {}, { encoding })
    expect(brief(await checked.answers())).toEqual([`${id} height 1 Europe/Amsterdam`])
  },
)

test('the question about an unknown encoding first lists the encodings that result in Latin words', async () => {
  const { choices } = await questionAbout(`${header}\nDvo\xfd\xa0k \xe6\x9castn\xec,height,1\n`)
  expect(choices.slice(0, 5)).toContain('ibm852: Dvořák Šťastný')
})

test('with --encoding, a no-break space around an ID is removed', async () => {
  const bytes = Buffer.from(`${header}\nA1\xa0,height,1\n`, 'latin1')
  await expect(check(bytes)).rejects.toMatchObject({ flags: '' })
  expect(brief(await (await check(bytes, {}, { encoding: 'windows-1252' })).answers())).toEqual([
    'A1 height 1 Europe/Amsterdam',
  ])
})

test('the question about an unknown encoding shows words from the column of a lookup key', async () => {
  const { problem } = await questionAbout('external_user_id,height,smoking\na,1,é\n')
  expect(problem).toContain('line 2 contains "é"')
})

test('the prompt for an unknown encoding shows words of the file in the probable encoding and in the other encodings', async () => {
  const { problem } = await questionAbout(`${header}\nAnn,height,1\nJosé,height,1\n`)
  const others = [...readings.slice(1), ...otherReadings].join(', ')
  expect(problem).toBe(
    `answers.csv is not UTF-8. If its encoding is windows-1252, line 3 contains "José" (${others})`,
  )
})

test('the question about an unknown encoding shows only words with a letter that is not in an earlier word, and for one word also its line', async () => {
  const one = await questionAbout(`${header}\nJosé,height,1\nJosée,height,1\nAnn,height,1\n`)
  expect(one.problem).toContain('line 2 contains "José" (')
  const two = await questionAbout(`${header}\nJosé,height,1\nRené Zoë,height,1\n`)
  expect(two.problem).toContain('the text contains "José Zoë" (')
  expect(two.label).toBe('Encoding of the text')
})

test('the question about an unknown encoding shows at most 100 characters of a long word', async () => {
  const { problem, choices } = await questionAbout(`${header}\né${'x'.repeat(150)},height,1\n`)
  expect(problem).toContain(`line 2 contains "é${'x'.repeat(99)}"`)
  expect(choices[0]).toBe(`windows-1252: é${'x'.repeat(99)}`)
})

test.each([
  ['has no letter for a byte', '\x81A', 'macintosh', 'ÅA'],
  ['contains a control character', 'é\x01', 'windows-1252', 'é\x01'],
])(
  'if a word with an unknown encoding %s, the question offers only encodings in which the word is valid',
  async (_, word, encoding, shown) => {
    const { problem, choices } = await questionAbout(`${header}\n${word},height,1\n`)
    expect(problem).toContain(`If its encoding is ${encoding}, line 2 contains "${shown}"`)
    expect(choices[0]).toBe(`${encoding}: ${shown}`)
  },
)
