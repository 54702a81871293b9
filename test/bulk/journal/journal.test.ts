import { existsSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type JournalFile, journalPath, openJournalFile } from '../../../src/bulk/journal/file.ts'
import { Journal } from '../../../src/bulk/journal/journal.ts'
import type { JournalRecord } from '../../../src/bulk/journal/record.ts'
import { recoverJournal } from '../../../src/bulk/journal/recovery.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { header } from '../header.ts'

const intent = (batch: number): JournalRecord => ({ type: 'INTENT', batch, rows: 10, at: 1 })
const close = (journal: Journal) => {
  journal.checkpoint(1, { settleMs: 1 }, 'done')
  return journal.close()
}

/** A real journal file that records its operations in `calls`. The functions in `faults` replace its own functions. */
async function watchedFile(folder: string, faults: Partial<JournalFile> = {}, goodBytes = 0) {
  const file = await openJournalFile(folder, goodBytes)
  const calls: string[] = []
  const watched: JournalFile = {
    append: (bytes) => {
      calls.push('append')
      return (faults.append ?? file.append)(bytes)
    },
    sync: () => {
      calls.push('sync')
      return (faults.sync ?? file.sync)()
    },
    truncate: file.truncate,
    releaseReserve: file.releaseReserve,
    close: file.close,
  }
  return { file, watched, calls }
}

test('32 journal records that are added at the same time cause one write and one fsync', async () => {
  const { watched, calls } = await watchedFile(temporaryFolder())
  const journal = new Journal(watched)
  journal.append(header)
  await Promise.all(Array.from({ length: 32 }, (_, batch) => journal.commit(intent(batch))))
  expect(calls).toEqual(['append', 'sync'])
  await close(journal)
  expect(calls).toEqual(['append', 'sync', 'append', 'sync'])
})

test.each([
  [16, 'written together', [16, 2]],
  [15, 'written one by one', [15, 1, 1]],
])(
  'after %i journal records were written at once, the next two records are %s',
  async (first, _, expected) => {
    // The clock stands still, so that the time for collecting records does not end on a slow machine.
    vi.spyOn(process, 'hrtime').mockReturnValue([1_000_000, 0])
    const writes: number[] = []
    const { file, watched } = await watchedFile(temporaryFolder(), {
      append: (bytes) => {
        writes.push(bytes.toString().split('\n').length - 1)
        return file.append(bytes)
      },
      sync: async () => {
        if (writes.length === 1) void addTwo()
      },
    })
    const addTwo = async () => {
      journal.append(intent(first))
      // If the journal still waits after 100 microtasks, it waits for the event loop.
      for (let step = 0; step < 100; step++) await undefined
      await nextTurn()
      journal.append(intent(first + 1))
    }
    const journal = new Journal(watched)
    journal.append(header)
    await Promise.all(Array.from({ length: first - 1 }, (_, batch) => journal.commit(intent(batch))))
    await expect.poll(() => writes).toEqual(expected)
    await close(journal)
  },
)

test('a journal record is written without an fsync if the caller does not wait for the record', async () => {
  const folder = temporaryFolder()
  const { watched, calls } = await watchedFile(folder)
  const journal = new Journal(watched)
  journal.append(header)
  await expect.poll(() => calls).toEqual(['append'])
  journal.append(intent(0))
  const openRows = async () => (await recoverJournal(journalPath(folder))).state.totals.open
  await expect.poll(openRows).toBe(10)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(calls).toEqual(['append', 'append'])
  await close(journal)
})

test('the journal refuses the outcome of a request if the request itself is not recorded', async () => {
  const folder = temporaryFolder()
  const journal = new Journal(await openJournalFile(folder, 0))
  await journal.commit(header)
  expect(() => journal.append({ type: 'ACK', batch: 0, rows: 10, at: 2 })).toThrow('invalid journal record')
  await close(journal)
  expect(readFileSync(journalPath(folder), 'utf8')).not.toContain('ACK')
})

test('the first record of a resumed import overwrites an incomplete last record in the journal', async () => {
  const folder = temporaryFolder()
  const first = new Journal(await openJournalFile(folder, 0))
  first.append(header)
  await first.commit(intent(0))
  await close(first)
  const whole = readFileSync(journalPath(folder))
  const recovered = await recoverJournal(journalPath(folder))
  expect(recovered.goodBytes).toBe(whole.length)
  const second = new Journal(await openJournalFile(folder, recovered.goodBytes), recovered)
  await second.commit(intent(1))
  await close(second)
  expect((await recoverJournal(journalPath(folder))).state.totals.open).toBe(20)
})

test('the journal does not repeat a failed fsync and accepts no more records', async () => {
  const fail = () => Promise.reject(new Error('EIO: i/o error, fdatasync'))
  const { watched, calls } = await watchedFile(temporaryFolder(), { sync: fail })
  const journal = new Journal(watched)
  await expect(journal.commit(header)).rejects.toMatchObject({ code: 'import_stopped' })
  await expect(journal.commit(intent(0))).rejects.toThrow('EIO')
  await close(journal)
  expect(calls).toEqual(['append', 'sync'])
})

test('the journal refuses every record after a failed fsync', async () => {
  const { watched } = await watchedFile(temporaryFolder(), {
    sync: async () => Promise.reject(new Error('EIO')),
  })
  const journal = new Journal(watched)
  journal.append(header)
  for (const batch of [0, 1, 2, 3]) {
    await expect(journal.commit(intent(batch))).rejects.toMatchObject({ code: 'import_stopped' })
  }
  await close(journal)
})

test('during a failing fsync, the journal refuses a new record and does not write it', async () => {
  let fail: () => void = () => undefined
  const syncing = new Promise<void>((_, reject) => {
    fail = () => reject(new Error('EIO'))
  })
  const { watched, calls } = await watchedFile(temporaryFolder(), { sync: () => syncing })
  const journal = new Journal(watched)
  const commits = [journal.commit(header)]
  await expect.poll(() => calls).toEqual(['append', 'sync'])
  commits.push(journal.commit(intent(0)))
  fail()
  const refused = { status: 'rejected', reason: { code: 'import_stopped' } }
  expect(await Promise.allSettled(commits)).toMatchObject([refused, refused])
  await close(journal)
  expect(calls).toEqual(['append', 'sync'])
})

test.each([
  ['recorded after each checkpoint', undefined, 2],
  ['not recorded if the checkpoint could not be written', async () => Promise.reject(new Error('EIO')), 0],
])('the length of the journal is %s', async (_, sync, times) => {
  const folder = temporaryFolder()
  const { watched } = await watchedFile(folder, sync && { sync })
  const lengths: number[] = []
  const journal = new Journal({ ...watched, recordLength: (bytes) => void lengths.push(bytes) })
  journal.append(header)
  journal.checkpoint(1, { settleMs: 1 })
  await journal.commit(intent(0)).catch(() => undefined)
  await journal.commit(intent(1)).catch(() => undefined)
  await close(journal).catch(() => undefined)
  expect(lengths).toHaveLength(times)
  if (times > 0) expect(lengths.at(-1)).toBe(statSync(journalPath(folder)).size)
})

test('closing the journal fails if the fsync of the last record fails', async () => {
  const sync = async () => Promise.reject(new Error('EIO'))
  const { watched } = await watchedFile(temporaryFolder(), { sync })
  const journal = new Journal(watched)
  journal.append(header)
  await expect(close(journal)).rejects.toMatchObject({ code: 'import_stopped' })
})

test('the journal stops after a failed write and removes the incomplete record', async () => {
  const folder = temporaryFolder()
  const { file, watched } = await watchedFile(folder, {
    append: async (bytes) => {
      if (!bytes.includes('INTENT')) return file.append(bytes)
      await file.append(bytes.subarray(0, 7))
      throw Object.assign(new Error('i/o error, write'), { code: 'EIO' })
    },
  })
  const journal = new Journal(watched)
  await journal.commit(header)
  await expect(journal.commit(intent(0))).rejects.toMatchObject({ code: 'import_stopped' })
  expect(existsSync(join(folder, 'reserved-space'))).toBe(true)
  await close(journal)
  expect((await recoverJournal(journalPath(folder))).state).toMatchObject({
    totals: { open: 0 },
    checkpoint: undefined,
  })
})

test('a failed write to a resumed journal keeps the records of the previous run', async () => {
  const folder = temporaryFolder()
  const first = new Journal(await openJournalFile(folder, 0))
  await first.commit(header)
  await first.commit(intent(0))
  await close(first)
  const recovered = await recoverJournal(journalPath(folder))
  const append = async (bytes: Buffer) => {
    await file.append(bytes.subarray(0, 7))
    throw Object.assign(new Error('i/o error, write'), { code: 'EIO' })
  }
  const { file, watched } = await watchedFile(folder, { append }, recovered.goodBytes)
  const second = new Journal(watched, recovered)
  await expect(second.commit(intent(1))).rejects.toMatchObject({ code: 'import_stopped' })
  await close(second)
  expect((await recoverJournal(journalPath(folder))).state.totals.open).toBe(10)
})

test.each([
  ['ENOSPC', 'no space left on device'],
  ['EDQUOT', 'EDQUOT'],
] as const)(
  'on a full disk (%s), no new request starts, and responses to active requests are still recorded',
  async (code, reason) => {
    const folder = temporaryFolder()
    let full = false
    const { file, watched } = await watchedFile(folder, {
      append: async (bytes) => {
        if (full && existsSync(join(folder, 'reserved-space'))) {
          await file.append(bytes.subarray(0, 7))
          throw Object.assign(new Error(`${code}: write`), { code, errno: -constants.errno[code] })
        }
        await file.append(bytes)
      },
    })
    const journal = new Journal(watched)
    await journal.commit(header)
    await journal.commit(intent(0))
    full = true
    await expect(journal.commit(intent(1))).rejects.toMatchObject({ code: 'import_stopped' })
    await expect(journal.commit(intent(2))).rejects.toThrow(`cannot write the journal (${reason})`)
    journal.append({ type: 'ACK', batch: 0, rows: 10, at: 2 })
    // The intents of batches 1 and 2 could not be written, so these batches were not sent.
    for (const batch of [1, 2]) journal.append({ type: 'ACK', batch, rows: 0, at: 2 })
    await close(journal)
    const { state } = await recoverJournal(journalPath(folder))
    expect(state.totals).toMatchObject({ accepted: 10, open: 0 })
    expect(state.checkpoint?.ended).toBe('done')
  },
)

test('only the owner can read the journal and its directory', async () => {
  const folder = join(temporaryFolder(), 'imports', 'abc')
  const journal = new Journal(await openJournalFile(folder, 0))
  await journal.commit(header)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(journalPath(folder)).mode & 0o777).toBe(0o600)
  await close(journal)
  expect(existsSync(join(folder, 'reserved-space'))).toBe(false)
})
