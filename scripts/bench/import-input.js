// Measures the reading side of the importer: node scripts/bench/import-input.js [rows …] (100000 1000000 10000000)
//
// Each figure is taken in a process of its own, in turns, and the median of three runs is shown: by the clock, and by the time of the
// processor, which counts for less when other programs run. The file holds ten answers of each user in an order that keeps the
// ten far apart, so that grouping has the most to do.
import { execFileSync } from 'node:child_process'
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

const keys =
  `average_sleep_hours feeling_stressed_last_month daily_activities hours_sport_week nightly_wake_ups
  balance_coordination height weight age smoking`.split(/\s+/)
const batchSize = 100
const runs = 3

/** What is timed; each answers the number of rows it saw. */
const measures = {
  async readline(path) {
    let rows = -1
    for await (const _line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) rows++
    return { rows }
  },
  async split(path) {
    let rows = -1
    let rest = ''
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      rows += lines.length
    }
    return { rows }
  },
  async check(path, program) {
    const { plan, close } = await checked(path, program)
    await close()
    return { rows: plan.rows, requests: plan.requests, invalid: plan.invalid }
  },
  async batches(path, program) {
    const { input, close } = await checked(path, program)
    let rows = 0
    for await (const batch of input.batches()) rows += batch.rows.length
    await close()
    return { rows }
  },
}

async function checked(path, program) {
  const { checkFile, openInput } = await import(program)
  const file = await openInput(path, process.stdin)
  const input = await checkFile(file, { batchSize }, { knownKeys: keys })
  const close = async () => {
    await input.close()
    file.close()
  }
  return { input, plan: input.plan, close }
}

/** A file of `rows` answers; the same for the same number. */
function writeAnswers(path, rows) {
  const file = openSync(path, 'w')
  writeSync(file, 'external_user_id,lookup_key,value,timezone\n')
  // A step without a divisor in common with the number of rows visits every row once.
  let step = Math.floor(rows * 0.618)
  while (divisor(step, rows) > 1) step++
  let lines = []
  for (let index = 0; index < rows; index++) {
    const row = (index * step + 7) % rows
    const user = String(Math.floor(row / keys.length)).padStart(8, '0')
    lines.push(`user-${user},${keys[row % keys.length]},${(row % 5) + 1},Europe/Amsterdam\n`)
    if (lines.length === 20_000 || index === rows - 1) {
      writeSync(file, lines.join(''))
      lines = []
    }
  }
  closeSync(file)
}

function divisor(a, b) {
  return b === 0 ? a : divisor(b, a % b)
}

/** Runs one measure in a new process: rows a second by clock and by processor, and the most memory that was resident, in MB. */
function measure(name, path, program) {
  const output = execFileSync(process.execPath, [
    fileURLToPath(import.meta.url),
    '--measure',
    name,
    path,
    program,
  ])
  return JSON.parse(output.toString())
}

function median(results, of) {
  return results.map(of).sort((a, b) => a - b)[Math.floor(results.length / 2)]
}

function report(rows, path, program) {
  const names = Object.keys(measures)
  const results = Object.fromEntries(names.map((name) => [name, []]))
  for (let run = 0; run < runs; run++)
    for (const name of names) results[name].push(measure(name, path, program))
  const speed = (name) => median(results[name], (result) => result.rowsPerSecond)
  const work = (name) => median(results[name], (result) => result.rowsPerProcessorSecond)
  const memory = (name) => Math.max(...results[name].map((result) => result.residentMb))
  console.log(`\n${rows.toLocaleString('en')} rows`)
  for (const name of names) {
    const [clock, processor] = [speed(name), work(name)].map((rate) => (rate / 1e6).toFixed(2).padStart(5))
    console.log(
      `  ${name.padEnd(8)} ${clock} M rows/s, ${processor} M a processor second, ${memory(name)} MB`,
    )
  }
  const { requests, invalid } = results.check[0]
  const smallest = Math.ceil(rows / keys.length)
  for (const name of ['readline', 'split']) {
    const ratios = [speed('check') / speed(name), work('check') / work(name)].map((ratio) => ratio.toFixed(2))
    console.log(`  check against ${name.padEnd(15)} ${ratios[0]} by the clock, ${ratios[1]} by the processor`)
  }
  console.log(
    `  requests against the smallest ${(requests / smallest).toFixed(3)} (${requests}), ${invalid} invalid`,
  )
  return { rows, check: memory('check'), batches: memory('batches') }
}

async function main(sizes) {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
  try {
    const program = join(folder, 'input.mjs')
    const contents = "export * from './src/bulk/check.ts'; export * from './src/bulk/open-input.ts'"
    const options = { bundle: true, format: 'esm', platform: 'node', outfile: program, logLevel: 'error' }
    const banner =
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
    await build({ ...options, stdin: { contents, resolveDir: process.cwd() }, banner: { js: banner } })
    const memory = sizes.map((rows) => {
      const path = join(folder, `${rows}.csv`)
      writeAnswers(path, rows)
      return report(rows, path, program)
    })
    for (const [index, after] of memory.entries()) {
      const before = memory[index - 1]
      const growth = (name) => (((after[name] - before[name]) / (after.rows - before.rows)) * 1e6).toFixed(2)
      if (before) {
        const span = `${before.rows.toLocaleString('en')} to ${after.rows.toLocaleString('en')} rows`
        console.log(`\n${span}: ${growth('check')} MB more a million rows, ${growth('batches')} with batches`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [mode, name, path, program] = process.argv.slice(2)
if (mode === '--measure') {
  // The program has what it runs in one file; loading it here is no part of an import.
  const module = pathToFileURL(program).href
  await import(module)
  const [startedAt, processorBefore] = [performance.now(), process.cpuUsage()]
  const result = await measures[name](path, module)
  const { user, system } = process.cpuUsage(processorBefore)
  const rowsPerSecond = (result.rows / (performance.now() - startedAt)) * 1000
  const rowsPerProcessorSecond = (result.rows / (user + system)) * 1e6
  const residentMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(JSON.stringify({ ...result, rowsPerSecond, rowsPerProcessorSecond, residentMb }))
} else {
  const sizes = process.argv.slice(2).map(Number)
  await main(sizes.length > 0 ? sizes : [100_000, 1_000_000, 10_000_000])
}
