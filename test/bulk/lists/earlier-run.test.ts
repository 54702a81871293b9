import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordLength } from '../../../src/bulk/journal/file.ts'
import {
  completePath,
  findEarlier,
  isReplaceable,
  openPath,
  partialPath,
  removeIncomplete,
} from '../../../src/bulk/lists/earlier-run.ts'
import { type CompleteFile, ListState, writeState } from '../../../src/bulk/lists/list-journal.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const now = 1_000_000_000_000
const hourMs = 3_600_000
const text = 'id\n4711\n'
const complete: CompleteFile = { completedMs: now, bytes: text.length, failed: 0 }

interface Found {
  partial?: string
  output?: string
  at?: number
  /** State of an earlier run whose output file is complete. */
  earlier?: Partial<ListState>
}

const stateOf = (change: Partial<ListState>) =>
  Object.assign(
    new ListState(),
    { key: 'list', rows: 1, done: 1, data: { bytes: text.length, crc: 0 } },
    change,
  )

/** Returns what a new run finds if an earlier run left the given files. `open` is the journal state of an incomplete run. */
function find(
  open: Partial<ListState> | undefined,
  { partial = text, output = '', at = now, earlier }: Found = {},
) {
  const folder = temporaryFolder()
  const path = join(folder, 'out.csv')
  for (const [file, content] of [
    [partialPath(path), partial],
    [path, output],
  ] as const) {
    if (content === '') continue
    writeFileSync(file, content)
    utimesSync(file, now / 1_000, now / 1_000)
  }
  if (open) writeState(openPath(folder), stateOf(open))
  if (earlier) writeState(completePath(folder), stateOf(earlier))
  const { state } = findEarlier(path, folder, 'list', at)
  const isPublished = statSync(path, { throwIfNoEntry: false })?.size === text.length
  return { state, isPublished, hasPartial: existsSync(partialPath(path)) }
}

const done = { partial: '', output: text }

test.each<[name: string, state: string, ...Parameters<typeof find>]>([
  ['an unfinished list', 'resumable', {}],
  ['an unfinished list whose partial file lacks its last rows', 'none', {}, { partial: 'id\n' }],
  ['an unfinished list without its partial file', 'none', {}, { partial: '' }],
  ['an unfinished list with links that are still valid', 'resumable', { expiresAt: now + 1 }],
  ['an unfinished list with an expired link', 'none', { expiresAt: now }],
  ['a list of another command', 'other', { key: 'other' }],
  ['a finished list of another command', 'none', undefined, { ...done, earlier: { key: 'other', complete } }],
  ['a finished list', 'recent', undefined, { ...done, earlier: { complete } }],
  [
    'a finished list, 12 hours later',
    'recent',
    undefined,
    { ...done, at: now + 12 * hourMs, earlier: { complete } },
  ],
  [
    'a finished list, 13 hours later',
    'complete',
    undefined,
    { ...done, at: now + 13 * hourMs, earlier: { complete } },
  ],
  [
    'a finished list whose result was printed',
    'complete',
    undefined,
    { ...done, earlier: { complete, isReported: true } },
  ],
  [
    'a finished list whose output file has another size',
    'none',
    undefined,
    { partial: '', output: 'id\n', earlier: { complete } },
  ],
  [
    'a finished list whose output file has another modification time',
    'none',
    undefined,
    { ...done, earlier: { complete: { ...complete, completedMs: now + 1_000 } } },
  ],
  [
    'a repeated run without its partial file, after a finished run',
    'recent',
    { replaces: complete },
    { ...done, earlier: { complete } },
  ],
  [
    'a repeated run without its partial file, after a finished run whose output file was changed',
    'none',
    { replaces: complete },
    { partial: '', output: 'id\n', earlier: { complete } },
  ],
])('a new run that finds %s reports the state "%s" of the list', (_, state, open, files) => {
  expect(find(open, files).state).toBe(state)
})

test('if a run completed its output file but was killed before it renamed its journal, the next run renames the output file', () => {
  expect(find({ complete })).toEqual({ state: 'recent', isPublished: true, hasPartial: false })
})

test('if a run was killed after it renamed its journal, the next run renames the complete output file', () => {
  const found = find(undefined, { earlier: { complete } })
  expect(found).toEqual({ state: 'recent', isPublished: true, hasPartial: false })
})

test('if an output file was changed before the last run was killed, the next run keeps the changed file', () => {
  const replaces = { ...complete, bytes: 3 }
  const found = find({ complete, replaces }, { output: 'changed\n\n' })
  expect(found).toEqual({ state: 'none', isPublished: false, hasPartial: true })
})

/** The state of a list in a directory with these files. Adds a partial file unless `partial` is false. */
function findIn(names: readonly string[], { partial = true, open = false, length = 0 } = {}) {
  const folder = join(temporaryFolder(), 'list')
  mkdirSync(folder)
  const path = join(folder, 'out.csv')
  if (partial) writeFileSync(partialPath(path), text)
  for (const name of names) writeFileSync(join(folder, name), '')
  if (open) writeState(openPath(folder), stateOf({}))
  if (length > 0) recordLength(folder, length)
  return { folder, path, find: () => findEarlier(path, folder, 'list', now).state }
}

test.each([
  ['checkpoint.json', true, false, 'other'],
  ['failures.ndjson', true, false, 'other'],
  ['unrelated.json', true, false, 'none'],
  ['checkpoint.json', false, false, 'none'],
  ['checkpoint.json', true, true, 'resumable'],
] as const)(
  'the file %s of version 0.1 (partial output: %s, new journal: %s) leads to the state "%s"',
  (name, partial, open, state) => {
    expect(findIn([name], { partial, open }).find()).toBe(state)
  },
)

test('a run starts over if the partial output of the last run is missing, and is refused if the journal is missing', () => {
  expect(findIn([], { partial: false, length: 100 }).find()).toBe('none')
  expect(findIn([], { length: 100 }).find).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('is missing'),
      details: expect.objectContaining({
        hint: [expect.stringContaining('Nothing was sent'), expect.any(String)],
      }),
    }),
  )
})

test('removing the state of an incomplete run also removes the state files of version 0.1', () => {
  const { folder } = findIn(['checkpoint.json', 'failures.ndjson', 'other'], { open: true, length: 1 })
  removeIncomplete(folder)
  removeIncomplete(folder)
  expect([readdirSync(folder), existsSync(`${folder}.length`)]).toEqual([['other', 'out.csv.partial'], false])
})

test.each([
  ['a missing file', false, 'missing', now],
  ['a device', true, '/dev/null', now],
  ['the file that the last run wrote', true, 'errors.csv', now],
  ['a file that was changed after the last run', false, 'errors.csv', now + 1_000],
  ['a file for which no last run is recorded', false, 'errors.csv', undefined],
] as const)('a new file of failed users can replace %s: %s', (_, expected, name, errorsMs) => {
  const folder = temporaryFolder()
  const path = name.startsWith('/') ? name : join(folder, name)
  if (name === 'errors.csv') {
    writeFileSync(path, '')
    utimesSync(path, now / 1_000, now / 1_000)
  }
  if (errorsMs !== undefined)
    writeState(completePath(folder), stateOf({ complete: { ...complete, errorsMs } }))
  expect(isReplaceable(folder, path)).toBe(expected)
})

test('the file of failed users is not replaced if the last run is incomplete', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'errors.csv')
  writeFileSync(path, '')
  writeState(completePath(folder), stateOf({}))
  expect(isReplaceable(folder, path)).toBe(false)
})
