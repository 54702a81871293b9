import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../src/sandbox/index.ts'
import { recordScans } from '../../src/sandbox/synthetic.ts'
import { seededRandom } from '../helpers/seeded.ts'
import { type Cluster, canRunSlurm, startCluster, until } from './slurm.ts'

const rows = Number(process.env['SLURM_ROWS'] ?? 1_000_000)
const answersOfUser = 40
const users = rows / answersOfUser
const shards = 4
/** Index of the task to kill. */
const victim = 1
const program = resolve('bin/facescan.js')

let folder: string
let cluster: Cluster
let store: Store
let sandbox: ChildProcess
let env: Record<string, string>

beforeAll(async () => {
  if (!canRunSlurm) return
  folder = mkdtempSync(join(tmpdir(), 'facescan-slurm-'))
  const database = join(folder, 'sandbox.db')
  store = await openStore(database)
  addUsers(store)
  writeShuffledInput(join(folder, 'answers.csv'))
  const port = await freePort()
  const words = [program, 'sandbox', 'serve', '--port', String(port), '--db', database]
  sandbox = spawn(process.execPath, words, {
    stdio: 'ignore',
    env: { HOME: folder, PATH: process.env['PATH'] },
  })
  mkdirSync(join(folder, 'bin'))
  symlinkSync(program, join(folder, 'bin/facescan'))
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, store.keys.development.key, { mode: 0o600 })
  env = {
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    FACESCAN_BASE_URL: `http://127.0.0.1:${port}`,
    FACESCAN_API_KEY_FILE: keyFile,
    SHARDS: String(shards),
  }
  cluster = await startCluster(folder, 2)
})

afterAll(async () => {
  if (!canRunSlurm) return
  await cluster?.stop()
  sandbox?.kill()
  store?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(canRunSlurm)(
  'a Slurm job array imports a shuffled file, even after a killed task was requeued',
  async () => {
    const script = resolve('examples/jobs/slurm.sh')
    const job = cluster.submit(script, [`--array=0-${shards - 1}`], env)
    await killTask(job, () => savedRows() > rows / 10)
    expect(merge().status).toBe(2)
    await requeueTask(job)

    const merged = merge()
    expect(merged).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(merged.stdout)).toMatchObject({
      status: 'finished',
      shards,
      ...{ rows, accepted: rows, rejected: 0, unknown: 0, unsent: 0 },
    })
    expect(storedFacts()).toEqual({ rows, different: rows, users })
  },
  1_800_000,
)

test.runIf(canRunSlurm)(
  'a Slurm job array reads each user of a list once, even after a killed task was requeued',
  async () => {
    const listed = Array.from({ length: 2_000 }, (_, user) => `user-${user}`)
    for (const external_user_id of listed)
      recordScans(store, { user: { external_user_id }, count: 1, days: 1, seed: 7, now: Date.now() })
    writeFileSync(join(folder, 'staff.csv'), `external_user_id\n${listed.join('\n')}\n`)
    const script = resolve('examples/jobs/users-slurm.sh')
    const results = join(folder, 'metrics')
    const settings = { ...env, RESULTS: results, FACESCAN_STATE_DIR: join(folder, 'list-state') }
    const job = cluster.submit(script, [`--array=0-${shards - 1}`], settings, ['--rate', '100/s'])
    const partial = join(results, `metrics-${victim}.csv.partial`)
    await killTask(job, () => existsSync(partial) && statSync(partial).size > 4_000)
    expect(existsSync(join(results, `metrics-${victim}.csv`))).toBe(false)
    await requeueTask(job)

    const files = Array.from({ length: shards }, (_, task) => join(results, `metrics-${task}.csv`))
    const rowsOf = (path: string) => readFileSync(path, 'utf8').trim().split('\r\n').slice(1)
    const ids = files.flatMap(rowsOf).map((row) => row.split(',')[0])
    expect(ids.toSorted()).toEqual(listed.toSorted())
    expect(readFileSync(join(folder, `facescan-users-${victim}.log`), 'utf8')).toMatch(/resuming .* already/)
  },
  300_000,
)

test.runIf(canRunSlurm)('GNU parallel runs the shards of a file on one machine', () => {
  const own = join(folder, 'parallel')
  mkdirSync(own)
  const lines = readFileSync(join(folder, 'answers.csv'), 'utf8').split('\n', 2_001)
  writeFileSync(join(own, 'answers.csv'), `${lines.join('\n').replaceAll(',0,', ',7,')}\n`)
  const words = [resolve('examples/jobs/parallel.sh')]
  const result = spawnSync('bash', words, {
    cwd: own,
    env: { ...env, FACESCAN_OUTPUT: 'json' },
    encoding: 'utf8',
  })
  expect(result.status, result.stderr).toBe(0)
  const merged = JSON.parse(result.stdout.slice(result.stdout.lastIndexOf('\n{') + 1))
  expect(merged).toMatchObject({ shards: 4, rows: 2_000, accepted: 2_000 })
})

async function killTask(job: number, isReady: () => boolean): Promise<void> {
  const stateOf = () => cluster.states(job).get(victim) ?? ''
  await until(() => stateOf() === 'RUNNING' && isReady(), 'results arrive', 240_000)
  cluster.cancel('--signal=KILL', '--full', `${job}_${victim}`)
  await until(() => !['RUNNING', 'COMPLETING'].includes(stateOf()), 'the task is dead')
  expect(stateOf()).not.toBe('COMPLETED')
}

async function requeueTask(job: number): Promise<void> {
  cluster.control('requeue', `${job}_${victim}`)
  cluster.control('update', `JobId=${job}_${victim}`, 'StartTime=now')
  await until(() => isOver(cluster.states(job)), 'every task is over', 1_500_000)
  expect([...cluster.states(job).values()]).toEqual(new Array(shards).fill('COMPLETED'))
}

function merge() {
  const words = [program, 'imports', 'merge', 'results', '--json']
  return spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
}

function isOver(states: Map<number, string>): boolean {
  return [...states.values()].every((state) => !/PENDING|RUNNING|COMPLETING|REQUEUE|CONFIGURING/.test(state))
}

/** Writes the rows in random order. All values of a user differ, so a row that is saved twice is found. */
function writeShuffledInput(path: string): void {
  const random = seededRandom(7)
  const order = Uint32Array.from({ length: rows }, (_, row) => row)
  for (let at = rows - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other] as number, order[at] as number]
  }
  const lines = Array.from(order, (row) => `user-${row % users},weight,${Math.floor(row / users)},UTC`)
  writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
}

function addUsers({ transaction, run, hashExternalId }: Store): void {
  const insert = 'insert into user (user_id, external_hash, created_at_ms) values (?, ?, ?)'
  transaction(() => {
    for (let user = 0; user < users; user++)
      run(insert, crypto.randomUUID(), hashExternalId(`user-${user}`), 0)
  })
}

function savedRows(): number {
  return store.get<{ rows: number }>('select count(*) as rows from answer')?.rows ?? 0
}

function storedFacts() {
  return store.get(
    `select count(*) as rows, count(distinct user_id || ' ' || value) as different, count(distinct user_id) as users
     from answer`,
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
