// Compares `users get --users FILE` with the simplest programs that do the same, in one run on one machine:
//   npm run bench:users
// The compared programs run in turn, and the turn with the median ratio is shown, because other load slows all of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { environment, key, medianTurn, perSecond, report, run, startServer } from './bench/measure.js'

const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const program = resolve('bin/facescan.js')
const loop = new URL('bench/bare-loop.js', import.meta.url).pathname
const concurrency = 32
const turnCount = 3

function writeList(users) {
  const path = join(folder, `${users}.csv`)
  const ids = Array.from({ length: users }, (_, n) => `patient-${n}`)
  writeFileSync(path, `external_user_id\n${ids.join('\n')}\n`)
  return path
}

/** Starts a service, and runs a program that reads each user. Returns its seconds, output, and memory. */
async function measure(latencyMs, command, args) {
  const server = await startServer('server.js', latencyMs)
  const ran = await run(command, args(server.url), { env: environment(folder, server.url) })
  await server.stop()
  if (ran.code !== 0) throw new Error(`${command} failed: ${ran.stderr}`)
  return ran
}

const readList = (path, latencyMs) => {
  const words = ['users', 'get', '--users', path, '--out', `${path}.${performance.now()}.ndjson`, '--quiet']
  return measure(latencyMs, process.execPath, () => [program, ...words])
}

const readBare = (users, latencyMs) =>
  measure(latencyMs, process.execPath, (url) => [loop, url, users, 0, concurrency, key].map(String))

/** Runs a command for each ID in eight processes at a time. */
const readByProcess = (path, latencyMs, command) =>
  measure(latencyMs, 'bash', (url) => [
    '-c',
    `tail -n +2 '${path}' | xargs -P8 -I{} ${command(url)} > /dev/null`,
  ])

async function compare(what, users, latencyMs, goal, readOther) {
  const path = writeList(users)
  const turns = []
  for (let turn = 0; turn < turnCount; turn++)
    turns.push({ other: await readOther(path), own: await readList(path, latencyMs) })
  const ratio = ({ other, own }) => other.seconds / own.seconds
  const turn = medianTurn(turns, ratio)
  const rates = `${perSecond(users, turn.own.seconds)} of ${perSecond(users, turn.other.seconds)}`
  const name = `throughput compared with ${what}, ${latencyMs} ms`
  report(name, ratio(turn).toFixed(2), goal, rates)
}

async function measureMemory(users) {
  const { megabytes, seconds } = await readList(writeList(users), 0)
  const details = `median ${Math.round(megabytes.usual)} MB, ${Math.round(seconds)} s`
  const name = `resident memory (peak), ${users.toLocaleString('en')} users`
  report(name, `${Math.round(megabytes.most)} MB`, '200 MB', details)
}

const bare = (users, latencyMs, goal) =>
  compare('a bare undici loop', users, latencyMs, goal, () => readBare(users, latencyMs))
const tool = () => `${process.execPath} ${program} users get {}`
const curl = (url) => `curl -sS -H 'x-api-key: ${key}' '${url}/v2/users?external_user_id={}'`

try {
  console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  await readList(writeList(10), 0)
  await bare(200_000, 0, '0.60')
  await bare(20_000, 50, '0.95')
  for (const latencyMs of [0, 50]) {
    await compare('xargs -P8 over this tool', 100, latencyMs, '', (path) =>
      readByProcess(path, latencyMs, tool),
    )
    await compare('xargs -P8 over curl', 1_000, latencyMs, '', (path) => readByProcess(path, latencyMs, curl))
  }
  if (!process.argv.includes('--short')) await measureMemory(1_000_000)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
