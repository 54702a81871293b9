import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { checkFile } from '../../src/bulk/check.ts'
import { openInput } from '../../src/bulk/open-input.ts'
import { UnclearFile } from '../../src/bulk/questions.ts'
import type { ImportSettings } from '../../src/bulk/types.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'
import { knownKeys } from './import-input.ts'

type Settings = Partial<ImportSettings>

/** The answers in a file, as sorted lines. */
async function read(bytes: Buffer, settings: Settings): Promise<string[]> {
  const input = await openInput('-', Readable.from([bytes]), settings)
  try {
    const checked = await checkFile(input, { batchSize: 7, timezone: 'UTC', ...settings }, { knownKeys })
    const found: string[] = []
    for await (const { user, rows } of checked.batches()) {
      for (const { lookup_key, value } of rows) found.push(`${user.id}|${lookup_key}|${value}`)
    }
    expect(checked.plan.invalid, JSON.stringify(checked.plan.problems[0])).toBe(0)
    checked.close()
    return found.sort()
  } finally {
    input.close()
  }
}

/** Converts the flags in an error message to settings. */
function settingsOf(flags: string): Settings {
  const settings: Settings & { map: Record<string, string> } = { map: {} }
  for (const [, name, quoted, plain] of flags.matchAll(/--([\w-]+) (?:'([^']*)'|(\S+))/g)) {
    const text = quoted ?? plain ?? ''
    if (name === 'ids') settings.ids = 'keep'
    else if (name === 'encoding') settings.encoding = text
    else if (name === 'header-line') settings.headerLine = Number(text)
    else if (name === 'ignore-columns') settings.ignoreColumns = text.split(',')
    else if (name === 'map')
      settings.map[text.slice(0, text.lastIndexOf('='))] = text.slice(text.lastIndexOf('=') + 1)
    else throw new Error(`unexpected flag --${name}`)
  }
  return settings
}

const id = fc.oneof(
  fc.stringMatching(/^[a-z]{1,3}[0-9]{1,4}$/),
  fc.stringMatching(/^0[0-9]{4}$/),
  fc.stringMatching(/^[1-9][0-9]{0,6}$/),
  fc.constantFrom('né-7', 'A;b', 'x,y', 'a|b', 'n\u00a0o', 'it"s'),
)
const value = fc.integer({ min: -300, max: 300 })
const table = fc
  .uniqueArray(id, { minLength: 2, maxLength: 8 })
  .chain((ids) => fc.tuple(...ids.map((user) => fc.tuple(fc.constant(user), value, value))))
const dirt = fc.record({
  isWide: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quotesAll: fc.boolean(),
  encoding: fc.constantFrom('utf8', 'utf8 bom', 'utf16le', 'utf16be', 'windows-1252'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  spaces: fc.constantFrom('', ' ', '\u00a0', '  '),
  emptyRows: fc.nat(3),
  titles: fc.constantFrom<readonly string[]>([], ['Survey'], ['Survey', ''], ['', 'Made by: Ann']),
  completesTitles: fc.boolean(),
  headerCase: fc.constantFrom(
    'external_user_id',
    'External User ID',
    'EXTERNAL_USER_ID',
    ' external-user-id ',
  ),
  decimals: fc.constantFrom('', '.0', ',0', '.00', ',00'),
  note: fc.constantFrom('', 'Ann', 'Smith, John', 'a;b', 'tab\there', 'line\nbreak', '"'),
})

type Dirt = typeof dirt extends fc.Arbitrary<infer Value> ? Value : never

/** The bytes of a file with these rows. `how` describes what a spreadsheet, a person, or a program changed. */
function written(rows: readonly (readonly [string, number, number])[], how: Dirt): Buffer {
  const { delimiter, quotesAll, spaces, decimals, note } = how
  const cell = (text: string) => {
    const spaced = `${spaces}${text}${spaces}`
    const isSpecial = /["\r\n,;\t|]/.test(spaced)
    return quotesAll || isSpecial ? `"${spaced.replaceAll('"', '""')}"` : spaced
  }
  const line = (cells: readonly string[]) => cells.map(cell).join(delimiter)
  const header = how.isWide
    ? [how.headerCase, 'Height', 'remark', 'weight']
    : [how.headerCase, 'Lookup Key', 'VALUE', 'remark']
  const body = rows.flatMap(([user, height, weight]) =>
    how.isWide
      ? [[user, `${height}${decimals}`, note, `${weight}${decimals}`]]
      : [
          [user, 'height', `${height}${decimals}`, note],
          [user, 'weight', `${weight}${decimals}`, note],
        ],
  )
  const empty = Array.from({ length: how.emptyRows }, () => delimiter.repeat(3))
  const titles = how.titles.map((title) => (how.completesTitles ? title + delimiter.repeat(3) : title))
  const text = [...titles, line(header), ...body.map(line), ...empty, ''].join(how.newline)
  if (how.encoding === 'windows-1252') return Buffer.from(text, 'latin1')
  if (how.encoding === 'utf8') return Buffer.from(text)
  if (how.encoding === 'utf8 bom') return Buffer.from(`\ufeff${text}`)
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  return how.encoding === 'utf16be' ? utf16.swap16() : utf16
}

holds(
  'an import reads random rows in any notation unchanged, or suggests the flags to read them',
  fc.asyncProperty(table, dirt, async (rows, how) => {
    const bytes = written(rows, how)
    const expected = rows.flatMap(([user, height, weight]) => [
      `${user}|height|${height}`,
      `${user}|weight|${weight}`,
    ])
    let settings: Settings = {}
    let answers: string[] | undefined
    for (let attempt = 0; attempt < 4 && answers === undefined; attempt++) {
      answers = await read(bytes, settings).catch((error: unknown) => {
        if (!(error instanceof UnclearFile) || attempt === 3) throw error
        // A no-break space can be a letter in another encoding, so no encoding is suggested for a text that contains one.
        const isSpaced =
          how.encoding === 'windows-1252' && bytes.includes(0xa0) && settings.encoding === undefined
        if (!isSpaced) expect(error.flags, error.message).not.toBe('')
        settings = { ...settings, ...(isSpaced && { encoding: how.encoding }), ...settingsOf(error.flags) }
        return undefined
      })
    }
    expect(answers).toEqual(expected.sort())
  }),
)
