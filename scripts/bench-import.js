// Compares `answers import` with the simplest programs that do the same, in one run on one machine:
//   npm run bench:import -- [--full]     --full: also 10 million rows
import { join } from 'node:path'
import { writeRows } from './bench/input.js'
import {
  compare,
  folder,
  importAnswers,
  report,
  reportMemory,
  run,
  runBareLoop,
  runProgram,
  withServer,
} from './bench/measure.js'

const rowsPerUser = 10

async function write(rows) {
  const path = join(folder, `${rows}.csv`)
  await writeRows(path, rows / rowsPerUser, rowsPerUser)
  return path
}

async function compareWithLoop(rows, latencyMs, goal) {
  const path = await write(rows)
  const users = rows / rowsPerUser
  const name = `${rows.toLocaleString('en')} rows, ${latencyMs} ms`
  const mode = `latency ${latencyMs}`
  const turn = await compare(`sending compared with a bare undici loop, ${name}`, rows, goal, {
    other: () => runBareLoop(users, rowsPerUser, mode),
    async own() {
      const { seconds, sending, counts } = await importAnswers(path, mode)
      return { seconds: sending, process: seconds, counts }
    },
  })
  report(`the same for the whole process, ${name}`, (turn.other.seconds / turn.own.process).toFixed(2))
  const requests = turn.own.counts.reduce((total, { accepted }) => total + accepted, 0)
  report('requests compared with the fewest possible, shuffled rows', (requests / users).toFixed(2), '1.00')
}

function dryRun(path) {
  return withServer('latency 0', (url) => runProgram(['answers', 'import', path, '--dry-run'], url))
}

/** Compares a dry run with a process that only splits the text into lines. */
async function measureDryRun(rows) {
  const path = await write(rows)
  const split = 'require("node:fs").readFileSync(process.argv[1], "utf8").split("\\n")'
  await compare(`dry run of ${rows.toLocaleString('en')} rows compared with a line split`, rows, '0.50', {
    other: () => run(process.execPath, ['-e', split, path]),
    own: () => dryRun(path),
  })
}

async function measureMemory(what, sizes, measure) {
  for (const rows of sizes)
    reportMemory(`${what} of ${rows.toLocaleString('en')} rows`, await measure(await write(rows)))
}

await importAnswers(await write(1_000), 'latency 0')
const rows = 1_000_000
await compareWithLoop(rows, 0, '0.60')
await compareWithLoop(100_000, 50, '0.97')
const sizes = [100_000, rows, ...(process.argv.includes('--full') ? [10_000_000] : [])]
for (const size of sizes) await measureDryRun(size)
await measureMemory('dry run', sizes, dryRun)
await measureMemory('import', sizes, (path) => importAnswers(path, 'latency 0'))
