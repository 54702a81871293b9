import { describe, expect, test } from 'vitest'
import type { Summary } from '../../src/bulk/schemas.ts'
import { isSummary, mergeSummaries } from '../../src/commands/imports/merge.ts'

function summaryOf(shard: string | null, more: Partial<Summary> = {}): Summary {
  return {
    id: `import-${shard}`,
    source: '/data/answers.csv',
    profile: 'ACME',
    shard,
    input_sha256: 'f00',
    settings_sha256: 'ba7',
    status: 'finished',
    rows: 10,
    accepted: 7,
    rejected: 1,
    unknown: 2,
    unsent: 0,
    requests: 3,
    retried: 1,
    seconds: 1.5,
    sent_now: 10,
    rejects_file: `/data/rejects.${shard}.csv`,
    unknown_file: null,
    ...more,
  }
}

describe('the summaries of shards', () => {
  test('each count in the merged summary is the sum of the counts in all shards', () => {
    const stopped = { status: 'stopped', rows: 5, accepted: 1, rejected: 0, unknown: 0, unsent: 4 } as const
    const files = { rejects_file: null, unknown_file: '/data/unknown.csv' }
    const shards = [summaryOf('2/3'), summaryOf('1/3', { ...stopped, ...files }), summaryOf('3/3')]
    expect(mergeSummaries(shards)).toEqual({
      input_sha256: 'f00',
      profile: 'ACME',
      status: 'stopped',
      shards: 3,
      rows: 25,
      accepted: 15,
      rejected: 2,
      unknown: 4,
      unsent: 4,
      requests: 9,
      retried: 3,
      rejects_files: ['/data/rejects.2/3.csv', '/data/rejects.3/3.csv'],
      unknown_files: ['/data/unknown.csv'],
    })
  })

  test('the merged summary has the status "finished" if all shards are finished', () => {
    expect(mergeSummaries([summaryOf('1/2'), summaryOf('2/2')])).toMatchObject({ status: 'finished' })
    expect(mergeSummaries([summaryOf(null)])).toMatchObject({ status: 'finished', shards: 1 })
  })
})

test.each([
  ['no summary', [], ['no summaries found']],
  ['missing shards', [summaryOf('1/4'), summaryOf('3/4')], ['missing shards: 2, 4 (of 4)']],
  [
    'a duplicate shard',
    [summaryOf('1/2'), summaryOf('2/2'), summaryOf('2/2')],
    ['more than one summary for shard 2/2'],
  ],
  [
    'the same shard three times',
    [summaryOf('1/1'), summaryOf('1/1'), summaryOf('1/1')],
    ['more than one summary for shard 1/1'],
  ],
  [
    'shard 1 twice and no shard 2',
    [summaryOf('1/2'), summaryOf('1/2')],
    ['more than one summary for shard 1/2', 'missing shards: 2 (of 2)'],
  ],
  [
    'different numbers of shards',
    [summaryOf('1/2'), summaryOf('2/3')],
    ['the summaries have different shard counts: 2 and 3'],
  ],
  [
    'a summary of the complete input',
    [summaryOf('1/2'), summaryOf(null)],
    ['the summaries have different shard counts: 2 and 1'],
  ],
  [
    'another input',
    [summaryOf('1/2'), summaryOf('2/2', { input_sha256: 'other' })],
    ['shard 2/2 of import import-2/2 and import import-1/2 have different inputs'],
  ],
  [
    'other settings',
    [summaryOf('1/2'), summaryOf('2/2', { settings_sha256: 'other' })],
    ['shard 2/2 of import import-2/2 and import import-1/2 have different settings'],
  ],
  [
    'summaries of two different complete inputs',
    [summaryOf('1/1'), summaryOf(null, { input_sha256: 'other' })],
    ['import import-null and import import-1/1 have different inputs', 'more than one summary for shard 1/1'],
  ],
])('"imports merge" refuses a set of summaries for this reason: %s', (_, summaries, problems) => {
  expect(mergeSummaries(summaries)).toEqual({ problems })
})

describe('a summary file', () => {
  test('a summary file that an import wrote is recognized as a summary', () => {
    expect(isSummary(JSON.parse(JSON.stringify(summaryOf('1/3'))))).toBe(true)
    expect(isSummary(summaryOf(null))).toBe(true)
    const { sent_now: _, ...old } = summaryOf(null)
    expect(isSummary(old)).toBe(true)
  })

  test.each([
    ['nothing', null],
    ['a text', 'summary'],
    ['without an id', { ...summaryOf(null), id: undefined }],
    ['with an invalid shard', { ...summaryOf(null), shard: 'first' }],
    ['with a count that is text', { ...summaryOf(null), requests: '3' }],
    ['without a count', { ...summaryOf(null), unsent: undefined }],
    ['with higher counts than rows', summaryOf(null, { accepted: 8 })],
    ['with lower counts than rows', summaryOf(null, { accepted: 6 })],
  ])('a value is not recognized as a summary: %s', (_, value) => {
    expect(isSummary(value)).toBe(false)
  })
})
