import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { checkFile } from '../../../src/bulk/check.ts'
import { CheckPass } from '../../../src/bulk/check-pass.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import { openTable } from '../../../src/bulk/rows/open-table.ts'
import fc from '../../helpers/fast-check.ts'
import { knownKeys } from '../import-input.ts'

const runs = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 300)
const settings = { batchSize: 3, timezone: 'UTC' }

async function read(bytes: Buffer) {
  const input = await openInput('-', Readable.from([bytes]))
  try {
    const checked = await checkFile(input, settings, { knownKeys })
    const answers: string[] = []
    for await (const { user, rows } of checked.batches()) {
      for (const row of rows) answers[row.row] = `${user.id}|${row.lookup_key}|${row.value}|${row.timezone}`
    }
    await checked.close()
    return { plan: checked.plan, answers }
  } finally {
    input.close()
  }
}

const zones = new Map([
  ['', 'UTC'],
  ['utc', 'UTC'],
  ['europe/Berlin', 'Europe/Berlin'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
])

interface Row {
  user: string
  key: string
  value: string
  zone: string
}

const trimmed = ({ user, key, value, zone }: Row): Row => ({
  user: user.trim(),
  key: key.trim(),
  value: value.trim().replace(/^(-?(?:0|[1-9]\d*))[.,]00?$/, '$1'),
  zone: zone.trim(),
})

/** Whether a row is valid. A second implementation of the rules in the contract, for comparison with the row reader. */
function isGood({ user, key, value, zone }: Row): boolean {
  const isUser = user !== '' && Buffer.byteLength(user) <= 1024 && !/\p{Cc}/u.test(user)
  const isValue = /^-?(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value))
  return isUser && isValue && knownKeys.includes(key) && zones.has(zone)
}

describe('comparison of the row reader with a simple check', () => {
  const alphabet = fc.constantFrom(
    'a',
    'Z',
    '~',
    ' ',
    '\x1f',
    '\x7f',
    'ü',
    '\u0085',
    '€',
    '😀',
    '"',
    ',',
    '\n',
  )
  const user = fc.oneof(
    fc.string({ unit: alphabet, maxLength: 9 }),
    fc.constantFrom('a'.repeat(1024), 'a'.repeat(1025)),
  )
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...knownKeys) },
    fc.constantFrom('', 'heigh', 'heighu', 'Weight'),
  )
  const digits = fc.string({
    unit: fc.constantFrom('-', '0', '1', '9', '.', 'e', '+', ' ', '٣'),
    maxLength: 17,
  })
  const value = fc.oneof(digits, fc.maxSafeInteger().map(String), fc.constantFrom('9007199254740992', '-0'))
  const zone = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...zones.keys()) },
    fc.constantFrom('+01:00', 'Mars/Base', ' utc'),
  )

  it('the row reader accepts the same rows as a simple check, and gives a reason for each rejected row', async () => {
    const row = fc.record({ user, key, value, zone })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        // An import refuses a file if two of its IDs differ only in spaces, so the test skips these files.
        fc.pre(
          new Set(rows.map(({ user }) => user)).size === new Set(rows.map(({ user }) => user.trim())).size,
        )
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = rows.map((cells) =>
          [cells.user, cells.key, cells.value, cells.zone].map(quoted).join(','),
        )
        const { plan, answers } = await read(
          Buffer.from(['external_user_id,lookup_key,value,timezone', ...lines].join('\n')),
        )
        const expected: string[] = []
        const filled = rows.map(trimmed).filter((cells) => Object.values(cells).some(Boolean))
        for (const [index, cells] of filled.entries()) {
          const number = Number(cells.value) + 0
          if (isGood(cells)) expected[index] = `${cells.user}|${cells.key}|${number}|${zones.get(cells.zone)}`
        }
        expect(answers.filter(() => true)).toEqual(expected.filter(() => true))
        expect(Object.keys(answers)).toEqual(Object.keys(expected))
        expect(plan).toMatchObject({
          rows: filled.length,
          invalid: filled.filter((cells) => !isGood(cells)).length,
        })
        const explained = new Set(plan.problems.map((problem) => problem.row))
        if (plan.problems.length < 20) expect(explained.size).toBe(plan.invalid)
      }),
      { numRuns: runs },
    )
  })

  it('the row reader counts every row of random bytes and gives a reason for each rejected row', async () => {
    const piece = fc.constantFrom(
      ...[
        'external_user_id',
        'lookup_key',
        'value',
        'height',
        'a',
        '1',
        ',',
        ';',
        '\t',
        '"',
        '\n',
        '\r\n',
        '\r',
        '\0',
      ],
      ...[
        '{"external_user_id":"a",',
        '"lookup_key":"height","value":1}',
        '{',
        '}',
        'sep=;',
        '\ufeff',
        '_line',
        "'",
        '=',
      ],
    )
    const bytes = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''))),
      fc
        .array(piece, { maxLength: 30 })
        .map((pieces) => Buffer.from(`external_user_id,lookup_key,value\n${pieces.join('')}`)),
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (input) => {
        const result = await read(input).catch((error: unknown) => {
          expect(error).toBeInstanceOf(FacescanError)
        })
        if (!result) return
        const { plan, answers } = result
        expect(plan.answers + plan.invalid).toBe(plan.rows)
        expect(answers.filter(() => true)).toHaveLength(plan.answers)
      }),
      { numRuns: runs * 3 },
    )
  })
})

it('a row in a file without a column for time zones is invalid because its time zone is missing', async () => {
  const input = await openInput('-', Readable.from([Buffer.from('external_user_id,height\na,180\n')]))
  const table = await openTable(input, { kind: 'answers', known: knownKeys })
  const pass = new CheckPass({ table, settings: { batchSize: 3 } }, () => undefined)
  for await (const _position of pass.read()) expect(pass.answers).toBe(0)
  input.close()
  expect([...pass.problemCounts.keys()]).toEqual(['timezone_missing'])
})
