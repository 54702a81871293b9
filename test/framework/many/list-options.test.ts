import { expect, test } from 'vitest'
import { chooseShard } from '../../../src/framework/many/choose-shard.ts'
import { checkUserLimit, listOptions, manyOptions, readingOf } from '../../../src/framework/many/options.ts'

const flags = { ...listOptions, keep: manyOptions.keep }

test.each([
  ['ids', 'exact', 'exact'],
  ['ids', 'keep', 'keep'],
  ['ids', 'pad:6', 6],
  ['ids', 'pad:12', 12],
  ['encoding', 'windows-1252', 'windows-1252'],
  ['shard', 'auto', 'auto'],
  ['shard', '1/1', { index: 0, count: 1 }],
  ['shard', '12/16', { index: 11, count: 16 }],
  ['keep', 'note, city', ['note', 'city']],
  ['map', 'a=b=sex', ['a=b', 'sex']],
  ['map', 'note=', ['note', '']],
  ['delimiter', 'tab', '\t'],
  ['delimiter', ';', ';'],
  ['rate', '50', 50],
  ['rate', '0.25/s', 0.25],
] as const)('the flag for the option %s reads %j as %j', (name, text, value) => {
  expect(flags[name].parse(text)).toEqual(value)
})

test.each([
  ['ids', ['pad:0', 'pad:123', 'pad:x', 'xpad:6', 'pad:6x', 'Exact'], 'is not one of exact, keep, or pad:N'],
  ['encoding', ['', 'utf-99', 'constructor'], 'is not a known encoding'],
  ['shard', ['x1/2', '1/2x', '1/123456', '3/2', '0/2'], 'is not a valid shard'],
  ['map', ['note', '=sex'], 'is not a valid column mapping'],
  ['delimiter', ['', ';;', 'é'], 'is not a single ASCII character'],
  ['rate', ['0', '0.0/s', '-1', 'x5', '5/m', '5/s5'], 'is not a valid rate'],
] as const)('the flag for the option %s refuses each value in the list %j', (name, texts, message) => {
  for (const text of texts) expect(() => flags[name].parse(text)).toThrow(`"${text}" ${message}`)
})

test('the settings for reading a file come from the flags and the mapping file, and a flag overrides the mapping file', async () => {
  const none: Parameters<typeof readingOf>[0] = {
    map: [],
    ignoreColumns: [],
    delimiter: undefined,
    encoding: undefined,
    headerLine: undefined,
    ids: undefined,
    sheet: undefined,
    hidden: undefined,
    mapping: undefined,
    saveMapping: undefined,
    skipInvalid: false,
  }
  expect(await readingOf(none)).toEqual({ map: {} })
  expect(
    await readingOf({
      ...none,
      mapping: { map: { a: 'sex', b: 'value' }, ignoreColumns: ['note'], ids: 'keep', sheet: 'Staff' },
      map: [['a', 'language']],
      ignoreColumns: [['city'], ['age']],
      values: [['sex', [['V', 'F']]]],
      ids: 'exact',
    }),
  ).toEqual({
    map: { a: 'language', b: 'value' },
    ignoreColumns: ['note', 'city', 'age'],
    values: { sex: { V: 'F' } },
    ids: 'exact',
    sheet: 'Staff',
  })
})

test.each([
  [3, undefined, undefined],
  [3, 3, undefined],
  [1, 0, 'the file has 1 user, more than --max-users 0'],
  [4, 3, 'the file has 4 users, more than --max-users 3'],
])('if a file has %i users and --max-users is %s, the error is: %s', (users, limit, message) => {
  const check = () => checkUserLimit(users, limit)
  if (message === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(message)
})

const slurm = (id: number, min: number, max: number, count: number) => ({
  SLURM_ARRAY_TASK_ID: `${id}`,
  SLURM_ARRAY_TASK_MIN: `${min}`,
  SLURM_ARRAY_TASK_MAX: `${max}`,
  SLURM_ARRAY_TASK_COUNT: `${count}`,
})

test.each([
  [{}, {}, undefined],
  [{ shard: { index: 2, count: 16 } }, slurm(0, 0, 1, 2), { index: 2, count: 16 }],
  [{ shardIndex: 0, shardCount: 65_536 }, {}, { index: 0, count: 65_536 }],
  [{ shard: 'auto' }, slurm(2, 0, 3, 4), { index: 2, count: 4 }],
  [{ shard: 'auto' }, slurm(4, 1, 4, 4), { index: 3, count: 4 }],
  [{ shard: 'auto' }, slurm(1, 1, 4, 4), { index: 0, count: 4 }],
  [{ shard: 'auto', shardCount: 8 }, { SLURM_ARRAY_TASK_ID: '7' }, { index: 7, count: 8 }],
  [{ shard: 'auto', shardCount: 8 }, { JOB_COMPLETION_INDEX: '7' }, { index: 7, count: 8 }],
] as const)('the flags %j in the environment %j select the shard %j', (options, env, shard) => {
  expect(chooseShard(options, env)).toEqual(shard)
})

test.each([
  [{ shard: { index: 0, count: 2 }, shardIndex: 0 }, {}, '--shard and --shard-index cannot be used together'],
  [{ shard: 'auto', shardIndex: 0 }, {}, '--shard and --shard-index cannot be used together'],
  [{ shard: { index: 0, count: 2 }, shardCount: 2 }, {}, '--shard-count can be used only with'],
  [{ shardIndex: 0 }, {}, '--shard-index and --shard-count must be used together'],
  [{ shardCount: 2 }, {}, '--shard-index and --shard-count must be used together'],
  [{ shardIndex: 2, shardCount: 2 }, {}, 'shard index 2 must be less than the shard count (2)'],
  [{ shardIndex: 0, shardCount: 65_537 }, {}, 'at most 65536 shards, got 65537'],
  [{ shard: 'auto' }, slurm(2, 2, 5, 4), 'cannot determine the number of shards'],
  [{ shard: 'auto' }, slurm(1, 0, 6, 3), 'cannot determine the number of shards'],
  [{ shard: 'auto' }, { SLURM_ARRAY_TASK_ID: '1' }, 'cannot determine the number of shards'],
  [
    { shard: 'auto' },
    { ...slurm(1, 0, 3, 4), SLURM_ARRAY_TASK_MAX: '' },
    'cannot determine the number of shards',
  ],
  [{ shard: 'auto' }, { SLURM_ARRAY_TASK_ID: 'x1' }, 'SLURM_ARRAY_TASK_ID is not a number: "x1"'],
  [{ shard: 'auto' }, { SLURM_ARRAY_TASK_ID: '1x' }, 'SLURM_ARRAY_TASK_ID is not a number: "1x"'],
] as const)('the flags %j in the environment %j are refused: %s', (options, env, message) => {
  expect(() => chooseShard(options, env)).toThrow(message)
})
