import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HeaderRecord } from '../../src/bulk/journal/record.ts'
import { ResultFolder } from '../../src/bulk/results/result-folder.ts'
import type { Summary } from '../../src/bulk/schemas.ts'
import { countStates, identify, writeSummary } from '../../src/bulk/summary.ts'

const header: HeaderRecord = {
  type: 'HEADER',
  version: 1,
  id: 'abc',
  tool: '0.1.0',
  at: 1,
  source: '/data/answers.csv',
  identity: { sha256: 'f00', bytes: 10 },
  settings: { batchSize: 10, timezone: 'Europe/Amsterdam', map: undefined },
  skipInvalid: false,
  keys: ['height'],
  profile: 'ACME',
  host: 'api.example',
  rows: 100,
  invalid: 3,
}
const shard = { index: 2, count: 16 }
const settingsOf = (changes: Partial<HeaderRecord>) => identify({ ...header, ...changes }).settings_sha256

test('the accepted, rejected, unknown, and unsent rows of an import add up to all rows', () => {
  const states = countStates(header, { accepted: 40, rejected: 5, unknown: 7, open: 11 })
  expect(states).toEqual({ rows: 100, accepted: 40, rejected: 8, unknown: 18, unsent: 34 })
})

describe('the identity of an import', () => {
  test('an import is identified by its input, its shard, and the hash of its settings', () => {
    expect(identify(header)).toEqual({
      id: 'abc',
      source: '/data/answers.csv',
      profile: 'ACME',
      shard: null,
      input_sha256: 'f00',
      settings_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(identify({ ...header, settings: { ...header.settings, shard } }).shard).toBe('3/16')
  })

  test('all shards of an import have the same settings hash, even in different versions of facescan', () => {
    const same = settingsOf({})
    expect(settingsOf({ settings: { ...header.settings, shard } })).toBe(same)
    expect(settingsOf({ id: 'other', at: 2, tool: '0.2.0', source: '-', keys: [] })).toBe(same)
    expect(identify(JSON.parse(JSON.stringify(header))).settings_sha256).toBe(same)
    const { timezone, batchSize } = header.settings
    expect(settingsOf({ settings: { timezone, batchSize } })).toBe(same)
  })

  test.each([
    { settings: { ...header.settings, batchSize: 11 } },
    { settings: { ...header.settings, timezone: 'Europe/Berlin' } },
    { settings: { ...header.settings, delimiter: ';' } },
    { skipInvalid: true },
    { profile: 'OTHER' },
    { profile: null },
    { host: 'other.example' },
  ])('the settings hash of an import changes with these settings: %o', (changes) => {
    expect(settingsOf(changes)).not.toBe(settingsOf({}))
  })
})

describe('the summary file of an import', () => {
  const summaryOf = (more: Partial<Summary> = {}) => ({ ...identify(header), ...more }) as Summary
  const folderOf = (directory: string, suffix?: string) =>
    new ResultFolder({ directory, owner: 'test', ...(suffix && { suffix }) })
  const folder = () => mkdtemp(join(tmpdir(), 'facescan-summary-'))
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

  test('a summary file replaces the summary file of the same import', async () => {
    const directory = await folder()
    writeSummary(folderOf(directory), summaryOf({ accepted: 1 }))
    writeSummary(folderOf(directory), summaryOf({ accepted: 2 }))
    expect(await readdir(directory)).toEqual(['answers.summary.json'])
    expect(await read(join(directory, 'answers.summary.json'))).toEqual(summaryOf({ accepted: 2 }))
    expect((await stat(join(directory, 'answers.summary.json'))).mode & 0o777).toBe(0o600)
  })

  test('a summary file does not replace other files, or summaries of other inputs and settings', async () => {
    const directory = await folder()
    await writeFile(join(directory, 'answers.summary.json'), 'my own notes')
    const others = [summaryOf({ input_sha256: 'other' }), summaryOf({ settings_sha256: 'other' })]
    for (const summary of [...others, summaryOf(), ...others]) writeSummary(folderOf(directory), summary)
    expect((await readdir(directory)).toSorted()).toEqual([
      'answers.summary-2.json',
      'answers.summary-3.json',
      'answers.summary-4.json',
      'answers.summary.json',
    ])
    expect(await readFile(join(directory, 'answers.summary.json'), 'utf8')).toBe('my own notes')
    expect(await read(join(directory, 'answers.summary-4.json'))).toEqual(summaryOf())
  })

  test('the summary file of each shard has its own name', async () => {
    const directory = await folder()
    writeSummary(folderOf(directory, '.3-of-16'), summaryOf())
    writeSummary(folderOf(directory, '.3-of-16'), summaryOf({ input_sha256: 'other' }))
    expect((await readdir(directory)).toSorted()).toEqual([
      'answers.3-of-16.summary-2.json',
      'answers.3-of-16.summary.json',
    ])
  })
})
