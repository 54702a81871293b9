import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findImport,
  finishImport,
  listImports,
  openJournal,
  recoverImport,
  removeImport,
} from '../../src/bulk/imports.ts'
import type { HeaderRecord } from '../../src/bulk/journal/record.ts'
import { acquireLock } from '../../src/bulk/lock.ts'
import { createImport, locateImport } from '../../src/bulk/new-import.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { header } from './header.ts'
import { lockOptions } from './lock-options.ts'

const intent = (batch: number) => ({ type: 'INTENT', batch, rows: 2, at: 5 }) as const

/** Creates the directory of an import, or finds the directory if the same import was started before. */
async function start(state: string, own: HeaderRecord, again = false) {
  const { id, folder } = await locateImport(state, own, again)
  return { folder, isNew: (await createImport(folder, { ...own, id })) !== undefined }
}

/** A stopped import. Its journal contains intents for `batches` batches, without outcomes. */
async function begin(state: string, batches: number, sha256 = 'f00') {
  const own = { ...header, rows: 10, identity: { sha256, bytes: 1 } }
  const { folder } = await start(state, own)
  const journal = await openJournal(folder, await recoverImport(folder))
  for (let batch = 0; batch < batches; batch++) await journal.commit(intent(batch))
  journal.checkpoint(9, { settleMs: 1 }, 'stopped')
  await journal.close()
  return folder
}

test('imports share a directory if, and only if, they have the same file and profile', async () => {
  const state = temporaryFolder()
  const { folder, isNew } = await start(state, header)
  expect(isNew).toBe(true)
  expect(await start(state, { ...header })).toMatchObject({ folder, isNew: false })
  const other = await start(state, { ...header, profile: 'OTHER-DEV' })
  expect([other.isNew, other.folder === folder]).toEqual([true, false])
})

test('an import with --again resumes an unfinished repetition, or starts a new repetition', async () => {
  const state = temporaryFolder()
  const totals = { accepted: 10, rejected: 0, unknown: 0, open: 0 }
  const folders: string[] = []
  for (let repetition = 0; repetition < 3; repetition++) {
    const { folder, isNew } = await start(state, header, true)
    expect(isNew).toBe(true)
    expect(await start(state, header, true)).toMatchObject({ folder, isNew: false })
    await finishImport(folder, { header, totals, at: 20 })
    folders.push(folder)
  }
  expect(new Set(folders).size).toBe(3)
  rmSync(folders[1] ?? '', { recursive: true })
  expect(await start(state, header, true)).toMatchObject({ folder: folders[1], isNew: true })
})

test('an import is listed as running if it is locked, as finished if it has a result, and otherwise as stopped', async () => {
  const state = temporaryFolder()
  const folder = await begin(state, 2)
  const lock = await acquireLock(folder, lockOptions())
  expect(await listImports(state)).toMatchObject([{ status: 'running', totals: { open: 4 } }])
  await lock.release()
  expect(await listImports(state)).toMatchObject([{ status: 'stopped', lastAt: 9 }])
  await finishImport(folder, { header, totals: { accepted: 10, rejected: 0, unknown: 0, open: 0 }, at: 20 })
  expect(await listImports(state)).toMatchObject([{ status: 'finished', totals: { accepted: 10 } }])
  await removeImport(folder, lockOptions())
  expect(await listImports(state)).toEqual([])
})

test('"imports remove" keeps an import that another process resumes during the confirmation prompt', async () => {
  const state = temporaryFolder()
  const folder = await begin(state, 2)
  const lock = await acquireLock(folder, lockOptions())
  await expect(removeImport(folder, lockOptions())).rejects.toThrow(
    `process ${process.pid} on this machine is already using the same files`,
  )
  expect(await listImports(state)).toMatchObject([{ status: 'running', totals: { open: 4 } }])
  await lock.release()
  await removeImport(folder, lockOptions())
  expect(await listImports(state)).toEqual([])
})

test('files such as .DS_Store in the state directory are not listed as imports', async () => {
  const state = temporaryFolder()
  await begin(state, 1)
  writeFileSync(join(state, 'imports', '.DS_Store'), '')
  expect(await listImports(state)).toMatchObject([{ status: 'stopped' }])
})

test('an import with an unreadable journal is listed as damaged', async () => {
  const state = temporaryFolder()
  mkdirSync(join(state, 'imports', 'abc', 'journal.ndjson'), { recursive: true })
  expect(await listImports(state)).toMatchObject([
    {
      id: 'abc',
      status: 'damaged',
      problem: 'its journal cannot be read (illegal operation on a directory)',
    },
  ])
})

test('an import is listed as damaged if its recorded result was edited', async () => {
  const state = temporaryFolder()
  const folder = await begin(state, 0)
  await finishImport(folder, { header, totals: { accepted: 10, rejected: 0, unknown: 0, open: 0 }, at: 20 })
  const path = join(folder, 'finished.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(accepted.*?)10/, '$19'))
  expect(await listImports(state)).toMatchObject([{ status: 'damaged' }])
})

test.each(['', '{}', 'null', '{"header":{}}'])(
  'an import whose recorded result is %j is listed as damaged and cannot be resumed',
  async (text) => {
    const state = temporaryFolder()
    const folder = await begin(state, 0)
    await finishImport(folder, { header, totals: { accepted: 10, rejected: 0, unknown: 0, open: 0 }, at: 20 })
    writeFileSync(join(folder, 'finished.json'), text)
    expect(await listImports(state)).toMatchObject([{ status: 'damaged' }])
    await expect(recoverImport(folder)).rejects.toMatchObject({ code: 'configuration' })
  },
)

test.each([
  ['deleted', (journal: string) => rmSync(journal), 'its journal is missing'],
  ['emptied', (journal: string) => truncateSync(journal), 'its journal is empty'],
  ['truncated within its header', (journal: string) => truncateSync(journal, 20), 'its journal is empty'],
])('an import is listed as damaged if its journal was %s', async (_, damage, problem) => {
  const state = temporaryFolder()
  const folder = await begin(state, 1)
  damage(join(folder, 'journal.ndjson'))
  expect(await listImports(state)).toMatchObject([{ status: 'damaged', problem }])
})

test('a resumed import appends to a journal whose last record has no newline', async () => {
  const state = temporaryFolder()
  const folder = await begin(state, 2)
  const path = join(folder, 'journal.ndjson')
  writeFileSync(path, (await readFile(path, 'utf8')).trimEnd())
  const journal = await openJournal(folder, await recoverImport(folder))
  expect([journal.state.totals.open, journal.state.checkpoint?.ended]).toEqual([4, 'stopped'])
  await journal.commit(intent(2))
  journal.checkpoint(9, { settleMs: 1 }, 'stopped')
  await journal.close()
  expect(await listImports(state)).toMatchObject([{ status: 'stopped', totals: { open: 6 } }])
})

test('an import is found by the first characters of its ID if they are unique', async () => {
  const state = temporaryFolder()
  for (let n = 0; n < 17; n++) await begin(state, 0, `content ${n}`)
  const [first, ...others] = await listImports(state)
  const letters = [first, ...others].map((stored) => stored?.id[0] ?? '')
  const shared = letters.find((letter, at) => letters.indexOf(letter) < at) ?? ''
  expect((await findImport(state, first?.id ?? '')).folder).toBe(first?.folder)
  await expect(findImport(state, shared)).rejects.toThrow('more than one import ID starts with')
  await expect(findImport(state, 'zz')).rejects.toThrow('import "zz" not found')
  await expect(findImport(state, '')).rejects.toThrow('import "" not found')
})

test('listing the imports fails if their directory cannot be read', async () => {
  const state = temporaryFolder()
  writeFileSync(join(state, 'imports'), '')
  await expect(listImports(state)).rejects.toThrow(`cannot read ${join(state, 'imports')} (not a directory)`)
})

test('an import refuses a journal that was replaced by an older copy, even if the import is finished', async () => {
  const state = temporaryFolder()
  const folder = await begin(state, 1)
  const path = join(folder, 'journal.ndjson')
  const older = readFileSync(path)
  const journal = await openJournal(folder, await recoverImport(folder))
  await journal.commit({ type: 'ACK', batch: 0, rows: 2, at: 6 })
  journal.checkpoint(9, { settleMs: 1 }, 'stopped')
  await journal.close()
  const latest = readFileSync(path)
  writeFileSync(path, older)
  await expect(recoverImport(folder)).rejects.toThrow(/is an older copy \(\d+ of \d+ bytes\)/)
  expect(await listImports(state)).toMatchObject([
    { status: 'damaged', problem: expect.stringContaining('is an older copy') },
  ])
  writeFileSync(path, latest)
  expect(await listImports(state)).toMatchObject([{ status: 'stopped', totals: { accepted: 2 } }])
  await finishImport(folder, { header, totals: { accepted: 10, rejected: 0, unknown: 0, open: 0 }, at: 20 })
  rmSync(join(folder, 'finished.json'))
  writeFileSync(path, older)
  await expect(recoverImport(folder)).rejects.toThrow('is an older copy')
  await removeImport(folder, lockOptions())
  expect(readdirSync(join(state, 'imports'))).toEqual([])
  await begin(state, 1)
  expect(await listImports(state)).toMatchObject([{ status: 'stopped' }])
})

test('an import starts from the beginning if the directory of its earlier run was deleted', async () => {
  const state = temporaryFolder()
  rmSync(await begin(state, 3), { recursive: true })
  await begin(state, 0)
  expect(await listImports(state)).toMatchObject([{ status: 'stopped' }])
})
