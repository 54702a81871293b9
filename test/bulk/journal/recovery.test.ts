import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { encodeRecord, type JournalRecord } from '../../../src/bulk/journal/record.ts'
import { recoverJournal } from '../../../src/bulk/journal/recovery.ts'
import { JournalState } from '../../../src/bulk/journal/state.ts'
import fc from '../../helpers/fast-check.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { holds } from '../../helpers/property.ts'
import { fuzzRuns } from '../../output/fuzz-runs.ts'
import { header } from '../header.ts'

const records: JournalRecord[] = [
  header,
  { type: 'INTENT', batch: 0, rows: 10, at: 1000 },
  { type: 'ACK', batch: 0, rows: 10, at: 1010 },
  { type: 'INTENT', batch: 1, rows: 10, at: 1020 },
  { type: 'ACK', batch: 1, rows: 0, at: 1030 },
  { type: 'REJECT', batch: 1, part: [3], code: '422', message: 'value: ünusual }"' },
  { type: 'INTENT', batch: 1, rows: 9, part: [0, 1, 2, 4, 5, 6, 7, 8, 9], at: 1040 },
  { type: 'ACK', batch: 1, rows: 9, part: [0, 1, 2, 4, 5, 6, 7, 8, 9], at: 1050 },
  { type: 'INTENT', batch: 2, rows: 4, at: 1060 },
  { type: 'UNKNOWN', batch: 2, part: [0, 1, 2, 3], code: 'unlisted', message: 'held' },
  { type: 'INTENT', batch: 3, rows: 10, at: 1070 },
  { type: 'CHECKPOINT', at: 1080, accepted: 19, rejected: 1, unknown: 4, settleMs: 30_000 },
  { type: 'ACK', batch: 3, rows: 10, at: 1090 },
  { type: 'INTENT', batch: 4, rows: 5, at: 1100, chain: 1, since: 1070 },
]

function linesOf(list: readonly JournalRecord[]): Buffer[] {
  let crc = 0
  return list.map((record) => {
    const encoded = encodeRecord(record, crc)
    crc = encoded.crc
    return Buffer.from(encoded.line)
  })
}

/** The content of a journal as plain data. */
function picture({ header, checkpoint, lastAt, done, partial, totals }: JournalState) {
  const ids = Array.from({ length: 64 }, (_, id) => id).filter((id) => done.has(id))
  return JSON.stringify({ header, checkpoint, lastAt, done: ids, partial: [...partial], totals })
}

async function recover(path: string, bytes: Buffer): Promise<string | undefined> {
  writeFileSync(path, bytes)
  try {
    const { state, goodBytes } = await recoverJournal(path)
    expect(goodBytes).toBeLessThanOrEqual(bytes.length)
    return picture(state)
  } catch (error) {
    expect(error).toBeInstanceOf(FacescanError)
    return undefined
  }
}

async function prefixPictures(path: string): Promise<string[]> {
  const pictures: string[] = []
  for (let n = 0; n <= records.length; n++) {
    pictures.push((await recover(path, Buffer.concat(linesOf(records.slice(0, n))))) ?? 'refused')
  }
  return pictures
}

test('reading a journal returns the number of accepted, rejected, unknown, and unfinished rows', async () => {
  const path = join(temporaryFolder(), 'journal')
  writeFileSync(path, Buffer.concat(linesOf(records)))
  const { state } = await recoverJournal(path)
  expect([0, 1, 2, 3, 4].map((id) => state.done.has(id))).toEqual([true, false, false, true, false])
  expect(state.totals).toEqual({ accepted: 29, rejected: 1, unknown: 4, open: 5 })
  expect(state.partial.get(1)?.accepted).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9])
  expect(state.partial.get(4)?.open).toMatchObject({ chain: 1, since: 1070 })
  expect(state.lastAt).toBe(1100)
})

test('every kind of journal record is read back with all the fields that were written', () => {
  const written = linesOf(records).map((line) => JSON.parse(line.toString()))
  expect(written.map(({ crc: _, ...record }) => record)).toEqual(records)
})

test('a journal that is truncated in its last three records is read up to the last complete record', async () => {
  const path = join(temporaryFolder(), 'journal')
  const lines = linesOf(records)
  const pictures = await prefixPictures(path)
  const whole = Buffer.concat(lines)
  const kept = lines.slice(0, -3).reduce((sum, line) => sum + line.length, 0)
  for (let cut = kept; cut <= whole.length; cut++) {
    let [n, end] = [0, 0]
    // The last record counts as complete even if its newline is missing.
    while (n < lines.length && end + lines[n]!.length - 1 <= cut) end += lines[n++]!.length
    expect(await recover(path, whole.subarray(0, cut)), `cut at byte ${cut}`).toBe(pictures[n])
  }
})

test('a journal is refused if one bit in its last three records has changed', async () => {
  const path = join(temporaryFolder(), 'journal')
  const lines = linesOf(records)
  const whole = Buffer.concat(lines)
  const kept = lines.slice(0, -3).reduce((sum, line) => sum + line.length, 0)
  for (let at = kept; at < whole.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 1 << bit
      expect(await recover(path, flipped), `bit ${bit} of byte ${at}`).toBeUndefined()
    }
  }
})

test('a truncated journal with changed bits is either refused or read up to its last complete record', async () => {
  const path = join(temporaryFolder(), 'journal')
  const lines = linesOf(records)
  const whole = Buffer.concat(lines)
  const pictures = await prefixPictures(path)
  const kept = lines.slice(0, -3).reduce((sum, line) => sum + line.length, 0)
  const position = fc.integer({ min: kept, max: whole.length - 1 })
  await fc.assert(
    fc.asyncProperty(
      position,
      fc.array(fc.tuple(position, fc.nat(7)), { minLength: 1, maxLength: 6 }),
      async (cut, flips) => {
        const bytes = Buffer.from(whole.subarray(0, cut))
        for (const [at, bit] of flips) if (at < cut) bytes[at]! ^= 1 << bit
        const found = await recover(path, bytes)
        expect(found === undefined || pictures.includes(found)).toBe(true)
      },
    ),
    { numRuns: fuzzRuns },
  )
})

const step = fc.record({
  do: fc.constantFrom('intend', 'accept', 'accept some', 'reject', 'give up', 'check'),
  batch: fc.nat(5),
  at: fc.nat(5_000),
  message: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Converts a random step to a journal record. Returns undefined if the record is not allowed after the earlier records. */
function recordOf({ do: what, batch, at, message }: Step, state: JournalState): JournalRecord | undefined {
  if (what === 'check') return { type: 'CHECKPOINT', at, settleMs: 1, ...state.totals }
  if (state.done.has(batch)) return undefined
  if (what === 'intend') return { type: 'INTENT', batch, rows: 3, at }
  if (state.partial.get(batch)?.open === undefined) return undefined
  if (what === 'accept') return { type: 'ACK', batch, rows: 3, at }
  if (what === 'accept some') return { type: 'ACK', batch, rows: 1, part: [2], at }
  return { type: what === 'reject' ? 'REJECT' : 'UNKNOWN', batch, part: [0], code: 'c', message }
}

function journalOf(steps: readonly Step[]): JournalRecord[] {
  const state = new JournalState()
  const taken: JournalRecord[] = [header]
  state.apply(header)
  for (const one of steps) {
    const record = recordOf(one, state)
    if (record === undefined) continue
    expect(state.apply(record)).toBeUndefined()
    taken.push(record)
  }
  return taken
}

holds(
  'a truncated journal is read up to its last complete record, and a journal with a changed bit is refused',
  () => {
    const path = join(temporaryFolder(), 'journal')
    return fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.nat(),
      fc.nat(),
      async (steps, cutAt, flipAt) => {
        const lines = linesOf(journalOf(steps))
        const whole = Buffer.concat(lines)
        const cut = cutAt % (whole.length + 1)
        let [n, end] = [0, 0]
        while (n < lines.length && end + lines[n]!.length - 1 <= cut) end += lines[n++]!.length
        const expected = await recover(path, Buffer.concat(lines.slice(0, n)))
        expect(expected).toBeDefined()
        expect(await recover(path, whole.subarray(0, cut))).toBe(expected)
        const flipped = Buffer.from(whole)
        flipped[flipAt % whole.length]! ^= 1 << (flipAt % 8)
        expect(await recover(path, flipped)).toBeUndefined()
      },
    )
  },
)

test.each([
  ['a record is missing', (lines: Buffer[]) => lines.toSpliced(3, 1)],
  ['a record is repeated', (lines: Buffer[]) => lines.toSpliced(3, 0, lines[3]!)],
  ['two records are swapped', (lines: Buffer[]) => lines.toSpliced(3, 2, lines[4]!, lines[3]!)],
  ['a record in the middle is overwritten', (lines: Buffer[]) => lines.with(3, Buffer.from('zeros\n'))],
])('a journal in which %s is refused', async (_, damage) => {
  const path = join(temporaryFolder(), 'journal')
  writeFileSync(path, Buffer.concat(damage(linesOf(records))))
  await expect(recoverJournal(path)).rejects.toThrow(/is damaged at byte \d+/)
})

test.each([
  ['a response without a request', { type: 'ACK', batch: 9, rows: 1, at: 1 }],
  ['a request for an accepted batch', { type: 'INTENT', batch: 0, rows: 10, at: 1 }],
  ['a second header', header],
  ['a wrong checksum', { type: 'CHECKPOINT', at: 1, accepted: 1, rejected: 0, unknown: 0, settleMs: 1 }],
] satisfies [string, JournalRecord][])('a journal that contains %s is refused', async (_, record) => {
  const path = join(temporaryFolder(), 'journal')
  writeFileSync(path, Buffer.concat(linesOf([...records, record])))
  await expect(recoverJournal(path)).rejects.toThrow(/is damaged/)
})

test('a journal of several megabytes is read completely', async () => {
  const path = join(temporaryFolder(), 'journal')
  const batches = Array.from({ length: 20_000 }, (_, batch): JournalRecord[] => [
    { type: 'INTENT', batch, rows: 10, at: 1000 + batch },
    { type: 'ACK', batch, rows: 10, at: 1001 + batch },
  ])
  const bytes = Buffer.concat(linesOf([header, ...batches.flat()]))
  expect(bytes.length).toBeGreaterThan(2 * 1024 * 1024)
  writeFileSync(path, bytes)
  const { state, goodBytes } = await recoverJournal(path)
  expect(state.totals).toEqual({ accepted: 200_000, rejected: 0, unknown: 0, open: 0 })
  expect([state.done.has(19_999), state.partial.size, goodBytes]).toEqual([true, 0, bytes.length])
})

test('a journal that ends with a very long incomplete line is refused', async () => {
  const path = join(temporaryFolder(), 'journal')
  writeFileSync(path, Buffer.concat([...linesOf([header]), Buffer.alloc(2 * 1024 * 1024, 'x')]))
  await expect(recoverJournal(path)).rejects.toThrow('a record is incomplete')
})

test('reading a journal reports whether its last record ends with a newline', async () => {
  const path = join(temporaryFolder(), 'journal')
  const whole = Buffer.concat(linesOf(records))
  writeFileSync(path, whole)
  expect((await recoverJournal(path)).isUnterminated).toBe(false)
  writeFileSync(path, whole.subarray(0, -1))
  expect(await recoverJournal(path)).toMatchObject({ isUnterminated: true, goodBytes: whole.length - 1 })
})

test('a journal is refused if its last line has no newline and is a second header', async () => {
  const path = join(temporaryFolder(), 'journal')
  const twice = Buffer.concat(linesOf([header, header]))
  writeFileSync(path, twice.subarray(0, -1))
  await expect(recoverJournal(path)).rejects.toThrow('the journal has a second header')
})

test('a journal is read up to an incomplete last line of at most 1 MiB', async () => {
  const path = join(temporaryFolder(), 'journal')
  const [line = Buffer.alloc(0)] = linesOf([header])
  const withTail = (bytes: number) => writeFileSync(path, Buffer.concat([line, Buffer.alloc(bytes, 'x')]))
  withTail(1024 * 1024)
  expect((await recoverJournal(path)).goodBytes).toBe(line.length)
  withTail(1024 * 1024 + 1)
  await expect(recoverJournal(path)).rejects.toThrow('a record is incomplete')
})

test('a journal contains neither answers nor user IDs', () => {
  const path = join(temporaryFolder(), 'journal')
  writeFileSync(path, Buffer.concat(linesOf(records)))
  const members = readFileSync(path, 'utf8').matchAll(/"([a-z]+)":/gi)
  const allowed = Object.keys(header).concat('crc', 'sha256', 'bytes', 'batchSize', 'batch', 'part', 'code')
  allowed.push('message', 'chain', 'since', 'accepted', 'rejected', 'unknown', 'settleMs')
  for (const [, name] of members) expect(allowed).toContain(name)
})
