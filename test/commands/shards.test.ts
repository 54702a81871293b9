import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MergedSummary, Summary } from '../../src/bulk/schemas.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let machine: Machine
let file: string
let results: string

/** Three rows for each of 30 users. Rows of one user are not adjacent. */
const rows = Array.from({ length: 90 }, (_, row) => `shard-${row % 30},weight,${60 + row},UTC`)
const badRows = ['shard-1,weight,heavy,UTC', 'shard-2,wait,70,UTC', 'stray"quote,weight,70,UTC']

beforeAll(async () => {
  machine = createMachine()
  file = join(machine.home, 'answers.csv')
  results = machine.home
  const header = 'external_user_id,lookup_key,value,timezone'
  writeFileSync(file, [header, ...rows, ...badRows, ''].join('\n'))
  for (let user = 0; user < 30; user++) {
    await machine.facescan(`users create --external-user-id shard-${user}`)
  }
})

function importShard(words: string, env: Record<string, string> = {}) {
  return machine.facescan(['answers', 'import', file, '--results', results, ...words.split(' ')], { env })
}

function summaryOf(shard: string): Summary {
  return JSON.parse(readFileSync(join(results, `answers.${shard}-of-3.summary.json`), 'utf8'))
}

async function savedWeights(user: string): Promise<number[]> {
  const listed = await machine.facescan(`answers list --external-user-id ${user} --json`)
  return JSON.parse(listed.stdout).map(({ answer }: { answer: number }) => answer)
}

describe('an import in three shards', () => {
  test("the plan of a shard estimates the time from the shard's part of --rate", async () => {
    const planned = await importShard('--skip-invalid --shard 1/3 --rate 1/s --dry-run --json')
    const { requests, estimated_seconds } = JSON.parse(planned.stdout)
    expect(estimated_seconds).toBe(3 * requests)
  })

  test('every shard stops if a row of the file is invalid', async () => {
    for (const shard of ['1/3', '2/3', '3/3']) {
      const refused = await importShard(`--shard ${shard}`)
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain('3 invalid rows; nothing was sent')
    }
  })

  test('three shards save each user’s answers once and in order, and "imports merge" adds their row counts', async () => {
    for (const index of [0, 1]) {
      await importShard(`--skip-invalid --shard-index ${index} --shard-count 3`)
    }
    const early = await machine.facescan(['imports', 'merge', results])
    expect(early).toMatchObject({ exitCode: 2, stdout: '' })
    expect(early.stderr).toContain('missing shards: 3 (of 3)')
    await importShard('--skip-invalid --shard auto', {
      SLURM_ARRAY_TASK_ID: '3',
      SLURM_ARRAY_TASK_MIN: '1',
      SLURM_ARRAY_TASK_MAX: '3',
      SLURM_ARRAY_TASK_COUNT: '3',
    })
    const merged = await machine.facescan(['imports', 'merge', results, '--json'])
    expect(merged.exitCode).toBe(10)
    const report = JSON.parse(merged.stdout) as MergedSummary
    // A scheduler can collect the results of each shard in a separate directory.
    const folders = join(results, 'collected')
    for (const shard of ['1', '2', '3']) {
      mkdirSync(join(folders, shard), { recursive: true })
      // The third shard ran with version 0.1, which used other file names.
      const name = shard === '3' ? 'summary-2.3-of-3.json' : `answers.${shard}-of-3.summary.json`
      writeFileSync(join(folders, shard, name), JSON.stringify(summaryOf(shard)))
    }
    const collected = await machine.facescan(['imports', 'merge', folders, '--json'])
    expect(JSON.parse(collected.stdout)).toEqual(report)
    expect(report).toMatchObject({
      status: 'finished',
      shards: 3,
      rows: 93,
      accepted: 90,
      rejected: 3,
      unsent: 0,
    })
    expect(await savedWeights('shard-4')).toEqual([64, 94, 124])
    const rejected = report.rejects_files.flatMap((path) =>
      readFileSync(path, 'utf8').trim().split('\n').slice(1),
    )
    expect(rejected).toHaveLength(3)
    for (const row of badRows) expect(rejected.join('\n')).toContain(row.split(',')[0])
  })

  test('a finished shard that runs again sends nothing and exits with the code of the first run', async () => {
    for (const shard of ['1', '2', '3']) {
      const { status, rows, accepted, rejected, unsent, rejects_file, id, requests } = summaryOf(shard)
      const again = await importShard(`--skip-invalid --shard ${shard}/3 --json`)
      expect(again.exitCode).toBe(rejected > 0 ? 10 : 0)
      expect(again.stderr).toContain(`shard ${shard}/3 was already imported`)
      const states = { status, rows, accepted, rejected, unsent }
      expect(JSON.parse(again.stdout)).toMatchObject({ id, ...states, rejects_file, requests, sent_now: 0 })
    }
    expect(await savedWeights('shard-4')).toHaveLength(3)
  })

  test('an import that is repeated with another number of shards is refused', async () => {
    for (const cut of ['--shard 1/2', '--batch-size 100']) {
      const refused = await importShard(`--skip-invalid ${cut}`)
      expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
      expect(refused.stderr).toContain('was started with 3 shards')
    }
  })

  test('after an import with another number of shards, only the first shard needs --again', async () => {
    const path = join(machine.home, 'other-count.csv')
    writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
    const start = (...words: string[]) => machine.facescan(['answers', 'import', path, ...words])
    expect((await start()).exitCode).toBe(0)
    const refused = await start('--shard', '1/2')
    expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
    expect(refused.stderr).toContain('was started without shards')
    expect(refused.stderr).toContain('To save every answer again in 2 shards, add --again.')
    expect((await start('--shard', '1/2', '--again')).exitCode).toBe(0)
    expect((await start('--shard', '2/2')).exitCode).toBe(0)
    expect((await start('--shard', '1/3')).exitCode).toBe(12)
    const { exitCode, stderr } = await start()
    expect(exitCode).toBe(12)
    expect(stderr).toContain('was started with 2 shards')
  })

  test('a shard is sent, although a shard with the same number and another number of shards was imported', async () => {
    const path = join(machine.home, 'same-number.csv')
    writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n\n`)
    const start = (...words: string[]) => machine.facescan(['answers', 'import', path, ...words, '--json'])
    expect((await start('--shard', '2/2')).exitCode).toBe(0)
    expect((await start('--shard', '1/3', '--again')).exitCode).toBe(0)
    const { stdout, stderr } = await start('--shard', '2/3')
    expect(stderr).not.toContain('already imported')
    const { shard, rows: sent, sent_now } = JSON.parse(stdout)
    expect([shard, sent_now]).toEqual(['2/3', sent])
  })

  test('"imports merge" refuses the summary of another import', async () => {
    const other = join(machine.home, 'summary.other.json')
    const summary = summaryOf('1')
    writeFileSync(other, JSON.stringify({ ...summary, shard: '3/3', settings_sha256: 'other' }))
    const merged = await machine.facescan([
      ...['imports', 'merge', join(results, 'answers.1-of-3.summary.json')],
      ...[join(results, 'answers.2-of-3.summary.json'), other],
    ])
    expect(merged.exitCode).toBe(2)
    expect(merged.stderr).toContain('have different settings')
  })
})

describe('--shard auto', () => {
  test.each([
    [{}, 'needs JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID', ''],
    [{ JOB_COMPLETION_INDEX: '3' }, 'not the number of pods', ''],
    [{ JOB_COMPLETION_INDEX: '3' }, 'index 3 must be less than the shard count (3)', ' --shard-count 3'],
    // If one task is submitted again, Slurm reports an array with a single task. The task must fail, because it would import the complete
    // file.
    [
      {
        SLURM_ARRAY_TASK_ID: '3',
        SLURM_ARRAY_TASK_MIN: '3',
        SLURM_ARRAY_TASK_MAX: '3',
        SLURM_ARRAY_TASK_COUNT: '1',
      },
      'cannot determine the number of shards from the Slurm job array',
      '',
    ],
    [
      {
        SLURM_ARRAY_TASK_ID: '0',
        SLURM_ARRAY_TASK_MIN: '1',
        SLURM_ARRAY_TASK_MAX: '4',
        SLURM_ARRAY_TASK_COUNT: '4',
      },
      'cannot determine the number of shards from the Slurm job array',
      '',
    ],
  ])('--shard auto in the environment %o fails with the error: %s', async (env, message, more) => {
    const refused = await importShard(`--shard auto${more}`, env)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(message)
  })
})

test('if --results is not set, a shard writes its summary beside the input', async () => {
  const path = join(machine.home, 'beside.csv')
  writeFileSync(path, 'external_user_id,lookup_key,value,timezone\nshard-1,weight,70,UTC\n')
  for (const shard of ['1/2', '2/2'])
    expect(await machine.facescan(['answers', 'import', path, '--shard', shard])).toMatchObject({
      exitCode: 0,
    })
  const files = ['1-of-2', '2-of-2'].map((shard) => join(machine.home, `beside.${shard}.summary.json`))
  const merged = await machine.facescan(['imports', 'merge', ...files, '--jq', '.accepted'])
  expect(merged.stdout, merged.stderr).toBe('1\n')
})

describe('users import in three shards', () => {
  const people = Array.from({ length: 20 }, (_, user) => `person-${user}`)
  const fileIn = (name: string) => join(machine.home, 'people', name)
  const shards = ['1-of-3', '2-of-3', '3-of-3']
  const merge = () => machine.facescan(['imports', 'merge', join(machine.home, 'people'), '--json'])
  const importPeople = (words: string) =>
    machine.facescan(['users', 'import', fileIn('staff.csv'), ...words.split(' ')])

  beforeAll(async () => {
    mkdirSync(join(machine.home, 'people'))
    writeFileSync(
      fileIn('staff.csv'),
      ['external_user_id,sex', ...people.map((id) => `${id},F`), ''].join('\n'),
    )
    await Promise.all([importPeople('--shard 1/3'), importPeople('--shard-index 1 --shard-count 3')])
  })

  test.each(['json', 'yaml'])(
    '"users import --shard --out x.%s", a format that cannot be merged, is refused',
    async (format) => {
      const refused = await importPeople(`--shard 1/2 --out ${fileIn(`x.${format}`)}`)
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain(
        `--shard: ${format} files cannot be merged; use .csv, .tsv, or .ndjson`,
      )
    },
  )

  test('"imports merge" writes each user from the results of "users import" once, after every shard is complete', async () => {
    const early = await merge()
    expect(early).toMatchObject({ exitCode: 2, stdout: '' })
    expect(early.stderr).toContain('missing shards: 3 (of 3)')
    expect(await importPeople('--shard 3/3')).toMatchObject({ exitCode: 0 })
    const merged = await merge()
    expect(merged.exitCode, merged.stderr).toBe(0)
    expect(JSON.parse(merged.stdout)).toMatchObject({
      status: 'finished',
      rows: 20,
      accepted: 20,
      results_file: fileIn('staff.users.csv'),
    })
    const [header, ...users] = readFileSync(fileIn('staff.users.csv'), 'utf8').trimEnd().split('\r\n')
    expect(header).toBe('external_user_id,user_id,status')
    expect(users.map((row) => row.split(',')[0]).sort()).toEqual([...people].sort())
    expect((await merge()).stderr).toContain('staff.users.csv already exists')
  })

  test('"users import --shard" writes its missing summary when it runs again after a kill', async () => {
    const out = fileIn('killed.1-of-1.csv')
    const summary = fileIn('killed.1-of-1.summary.json')
    expect(await importPeople(`--shard 1/1 --out ${out}`)).toMatchObject({ exitCode: 0 })
    const first = readFileSync(summary, 'utf8')
    rmSync(summary)
    expect(await importPeople(`--shard 1/1 --out ${out}`)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(summary, 'utf8')).toBe(first)
    rmSync(summary)
  })

  test('"imports merge" combines --out files whose names do not contain the shard', async () => {
    for (const [shard, name] of [
      ['1/2', 'x'],
      ['2/2', 'y'],
    ])
      await importPeople(`--shard ${shard} --out ${fileIn(`${name}.csv`)}`)
    const summaries = ['x', 'y'].map((name) => fileIn(`${name}.summary.json`))
    const merged = await machine.facescan(['imports', 'merge', ...summaries, '--jq', '.results_file'])
    expect(merged.stdout, merged.stderr).toBe(`${fileIn('x.merged.csv')}\n`)
    expect(readFileSync(fileIn('x.merged.csv'), 'utf8').trimEnd().split('\r\n')).toHaveLength(21)
    for (const summary of summaries) rmSync(summary)
  })

  test('"imports merge" refuses results of "users import" if a shard’s results are changed or missing', async () => {
    const first = fileIn(`staff.${shards[0]}.users.csv`)
    const content = readFileSync(first)
    rmSync(fileIn('staff.users.csv'))
    for (const [change, problem] of [
      [() => writeFileSync(first, content.subarray(0, -40)), 'was changed after its shard was complete'],
      [() => rmSync(first), 'cannot be read'],
    ] as const) {
      change()
      const refused = await merge()
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain(`staff.1-of-3.users.csv ${problem}`)
    }
    expect(existsSync(fileIn('staff.users.csv'))).toBe(false)
  })
})

test('--shard with an invalid shard is a usage error', async () => {
  for (const shard of ['0/3', '4/3', '3', 'third']) {
    const refused = await importShard(`--shard ${shard}`)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('use 3/16 for shard 3 of 16')
  }
  const refused = await importShard('--shard 1/99999')
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('a file can have at most 65536 shards, got 99999')
})
