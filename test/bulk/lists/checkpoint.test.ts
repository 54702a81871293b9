import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Checkpoint,
  findEarlier,
  partialPath,
  writeCheckpoint,
} from '../../../src/bulk/lists/checkpoint.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const now = 1_000_000_000_000
const hourMs = 3_600_000
const text = 'id\n4711\n'
const begun = { key: 'list', rows: 1, done: 1, failed: 0, bytes: text.length, failureBytes: 0 }

/** The state that a run of the list with the key `list` finds. */
function find(change: Partial<Checkpoint>, { partial = text, complete = '', at = now }) {
  const folder = temporaryFolder()
  const path = join(folder, 'out.csv')
  for (const [file, content] of [
    [partialPath(path), partial],
    [path, complete],
  ] as const) {
    if (content === '') continue
    writeFileSync(file, content)
    utimesSync(file, now / 1_000, now / 1_000)
  }
  writeCheckpoint(folder, { ...begun, ...change })
  const { state } = findEarlier(path, folder, 'list', at)
  return { state, isPublished: statSync(path, { throwIfNoEntry: false })?.size === text.length }
}

const done = { completedMs: now }
const earlier = { ...begun, ...done }

test.each<[name: string, state: string, Partial<Checkpoint>, Parameters<typeof find>[1]]>([
  ['an unfinished list', 'resumable', {}, {}],
  ['an unfinished list whose partial file lacks its last rows', 'none', {}, { partial: 'id\n' }],
  ['an unfinished list with links that are still valid', 'resumable', { expiresAt: now + 1 }, {}],
  ['an unfinished list with an expired link', 'none', { expiresAt: now }, {}],
  ['a list of another command', 'other', { key: 'other' }, {}],
  ['a finished list of another command', 'none', { key: 'other' }, { partial: '', complete: text }],
  ['a finished list', 'recent', done, { partial: '', complete: text }],
  ['a finished list, 12 hours later', 'recent', done, { partial: '', complete: text, at: now + 12 * hourMs }],
  [
    'a finished list, 13 hours later',
    'complete',
    done,
    { partial: '', complete: text, at: now + 13 * hourMs },
  ],
  [
    'a finished list whose result was printed',
    'complete',
    { ...done, isReported: true },
    { partial: '', complete: text },
  ],
  ['a finished list whose output file has another size', 'none', done, { partial: '', complete: 'id\n' }],
  [
    'a finished list whose output file has another modification time',
    'none',
    { completedMs: now + 1_000 },
    { partial: '', complete: text },
  ],
  [
    'a repeated run without its partial file, after a finished run',
    'complete',
    { replaces: earlier },
    { partial: '', complete: text },
  ],
  [
    'a repeated run without its partial file, after a finished run whose output file was changed',
    'none',
    { replaces: earlier },
    { partial: '', complete: 'id\n' },
  ],
])('if a list command runs again and finds %s, the state of the list is "%s"', (_, state, change, files) => {
  expect(find(change, files).state).toBe(state)
})

test('a repeated list command renames a complete output file that a killed run did not rename', () => {
  expect(find(done, {})).toEqual({ state: 'recent', isPublished: true })
})
