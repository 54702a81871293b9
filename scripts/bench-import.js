// Compares `answers import` with the simplest programs that do the same, in one run on one machine:
//   npm run bench:import -- [--full]     --full: also 10 million rows
// The compared programs run in turn, and the turn with the median ratio is shown, because other load slows all of them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeRows } from './bench/input.js'
import { environment, key, medianTurn, perSecond, report, run, startServer } from './bench/measure.js'

const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const program = resolve('bin/facescan.js')
const script = (name) => new URL(`bench/${name}`, import.meta.url).pathname
const concurrency = 32
const rowsPerUser = 10
const turnCount = 3

async function withServer(latencyMs, work) {
  const server = await startServer('server.js', latencyMs)
  const result = await work(server.url)
  return { ...result, ...(await server.stop()) }
}

/** Imports a file. Returns the seconds of the process and of its sending, the number of requests, and the memory. */
async function importFile(path, latencyMs) {
  const { sending, ...ran } = await withServer(latencyMs, async (url) => {
    const env = environment(folder, url)
    const words = ['answers', 'import', path, '--results', env.HOME, '--confirm', 'development', '--quiet']
    const result = await run(process.execPath, [program, ...words], { env })
    if (result.code !== 0) throw new Error(`the import failed: ${result.stderr}`)
    return { ...result, sending: JSON.parse(readFileSync(join(env.HOME, 'summary.json'), 'utf8')).seconds }
  })
  return { ...ran, sending }
}

function bareLoop(users, latencyMs) {
  return withServer(latencyMs, async (url) => {
    const args = [script('bare-loop.js'), url, users, rowsPerUser, concurrency, key].map(String)
    return { seconds: Number((await run(process.execPath, args)).stdout) }
  })
}

async function compareWithLoop(rows, latencyMs, goal) {
  const users = rows / rowsPerUser
  const path = join(folder, `${users}.csv`)
  await writeRows(path, users, rowsPerUser)
  const turns = []
  for (let turn = 0; turn < turnCount; turn++)
    turns.push({ bare: await bareLoop(users, latencyMs), own: await importFile(path, latencyMs) })
  const { bare, own } = medianTurn(turns, ({ bare, own }) => bare.seconds / own.sending)
  const name = `${rows.toLocaleString('en')} rows, ${latencyMs} ms`
  const rates = `${perSecond(rows, own.sending)} of ${perSecond(rows, bare.seconds)}`
  report(
    `sending compared with a bare undici loop, ${name}`,
    (bare.seconds / own.sending).toFixed(2),
    goal,
    rates,
  )
  report(`the same for the whole process, ${name}`, (bare.seconds / own.seconds).toFixed(2))
  report('requests compared with the fewest possible, shuffled rows', (own.posts / users).toFixed(2), '1.00')
}

function dryRun(path) {
  return withServer(0, (url) =>
    run(process.execPath, [program, 'answers', 'import', path, '--dry-run', '--quiet'], {
      env: environment(folder, url),
    }),
  )
}

/** A dry run as a whole process, compared with splitting the text into lines. */
async function measureDryRun(rows) {
  const path = join(folder, 'dry.csv')
  await writeRows(path, rows / rowsPerUser, rowsPerUser)
  const turns = []
  for (let turn = 0; turn < turnCount; turn++)
    turns.push({
      split: await run(process.execPath, [script('line-split.js'), path]),
      dry: await dryRun(path),
    })
  const { split, dry } = medianTurn(turns, ({ split, dry }) => split.seconds / dry.seconds)
  const name = `dry run of ${rows.toLocaleString('en')} rows compared with a line split`
  const rates = `${perSecond(rows, dry.seconds)} of ${perSecond(rows, split.seconds)}`
  report(name, (split.seconds / dry.seconds).toFixed(2), '0.50', rates)
}

async function measureMemory(what, sizes, measure) {
  for (const rows of sizes) {
    const path = join(folder, 'memory.csv')
    await writeRows(path, rows / rowsPerUser, rowsPerUser)
    const { megabytes, seconds } = await measure(path)
    const details = `median ${Math.round(megabytes.usual)} MB, ${Math.round(seconds)} s`
    const name = `resident memory (peak), ${what} of ${rows.toLocaleString('en')} rows`
    report(name, `${Math.round(megabytes.most)} MB`, '200 MB', details)
  }
}

try {
  console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const warmUp = join(folder, 'warm-up.csv')
  await writeRows(warmUp, 100, rowsPerUser)
  await importFile(warmUp, 0)
  const rows = 1_000_000
  await compareWithLoop(rows, 0, '0.60')
  await compareWithLoop(100_000, 50, '0.97')
  const sizes = [100_000, rows, ...(process.argv.includes('--full') ? [10_000_000] : [])]
  for (const size of sizes) await measureDryRun(size)
  await measureMemory('dry run', sizes, dryRun)
  await measureMemory('import', sizes, (path) => importFile(path, 0))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
