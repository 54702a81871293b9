// Compares `answers import` with the simplest ways to do the same, in one run on one machine: npm run bench:import
// What is compared runs in turns, and the turn with the median ratio is shown: a busy machine makes all figures worse, and so both.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { requestsOf, writeRows, writeWrongRows } from './bench/input.js'
import { run, startServer, time } from './bench/measure.js'

const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const program = resolve('bin/facescan.js')
const script = (name) => new URL(`bench/${name}`, import.meta.url).pathname
const key = 'k'.repeat(40)
const inFlight = 32
const rowsPerUser = 10
const isFull = process.argv.includes('--full')

function say(text) {
  process.stdout.write(`${text}\n`)
}

function report(what, value, aim, raw) {
  say(`${what.padEnd(64)} ${value.padStart(9)}   aim ${aim.padEnd(9)} ${raw}`)
}

const perSecond = (rows, seconds) => `${Math.round(rows / seconds).toLocaleString('en')}/s`

async function bareLoop(users, latencyMs) {
  const server = await startServer('server.js', latencyMs)
  const args = [script('bare-loop.js'), server.url, users, rowsPerUser, inFlight, key].map(String)
  const { stdout } = await run(process.execPath, args)
  await server.stop()
  return Number(stdout)
}

/** A state of its own for each run; the program's compiled code is kept from one to the next, as on any machine but a new one. */
function environment(url) {
  const state = mkdtempSync(join(folder, 'state-'))
  return {
    PATH: process.env.PATH,
    HOME: state,
    XDG_CACHE_HOME: join(folder, 'cache'),
    FACESCAN_STATE_DIR: state,
    FACESCAN_CONFIG_DIR: state,
    FACESCAN_BASE_URL: url,
    FACESCAN_API_KEY: key,
  }
}

/** Imports a file afresh: seconds of the whole command and of its sending, requests, and memory. */
async function importFile(path, latencyMs) {
  const server = await startServer('server.js', latencyMs)
  const env = environment(server.url)
  const { HOME: state } = env
  const words = ['answers', 'import', path, '--results', state, '--confirm', 'development', '--quiet']
  const ran = await run(process.execPath, [program, ...words], { env })
  if (ran.code !== 0) throw new Error(`the import failed: ${ran.stderr}`)
  const { posts } = await server.stop()
  const sending = JSON.parse(readFileSync(join(state, 'summary.json'), 'utf8')).seconds
  return { ...ran, posts, sending }
}

function medianTurn(turns, ratio) {
  return turns.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(turns.length / 2)]
}

async function compareWithLoop(rows, latencyMs, aim, times) {
  const users = rows / rowsPerUser
  const path = join(folder, `${users}.csv`)
  await writeRows(path, users, rowsPerUser)
  const turns = []
  for (let n = 0; n < times; n++) {
    turns.push({ bare: await bareLoop(users, latencyMs), own: await importFile(path, latencyMs) })
  }
  const { bare, own } = medianTurn(turns, ({ bare, own }) => bare / own.sending)
  const name = `${rows.toLocaleString('en')} rows, ${latencyMs} ms`
  const raw = `${perSecond(rows, own.sending)} of ${perSecond(rows, bare)}`
  report(`sending against a bare undici loop, ${name}`, (bare / own.sending).toFixed(2), aim, raw)
  report(
    `whole command against the same, ${name}`,
    (bare / own.seconds).toFixed(2),
    '',
    perSecond(rows, own.seconds),
  )
  report(
    'requests against the fewest possible, shuffled rows',
    (own.posts / users).toFixed(2),
    '1.00',
    `${own.posts} of ${users}`,
  )
  return own
}

async function compareWithCurl(latencyMs, imported) {
  const server = await startServer('server.js', latencyMs)
  const requests = [...requestsOf(100, rowsPerUser)].flatMap(({ path, body }) =>
    JSON.parse(body).map((answer) => ({ path: path.replace('/many', ''), body: JSON.stringify(answer) })),
  )
  const headers = ['-H', `x-api-key: ${key}`, '-H', 'content-type: application/json']
  const lines = requests.map(({ path, body }) => `${server.url}${path}\n${body}`).join('\n')
  writeFileSync(join(folder, 'rows.txt'), `${lines}\n`)
  const curl = ['curl', '-s', '-o', '/dev/null', ...headers, '--data-raw']
    .map((word) => `'${word}'`)
    .join(' ')
  const command = `xargs -P8 -d '\\n' -n2 sh -c '${curl.replaceAll("'", `'"'"'`)} "$1" "$0"' < ${join(folder, 'rows.txt')}`
  const each = await run('sh', ['-c', command])
  const own = 100 * rowsPerUser
  report(
    'rows/s, whole command, against one curl a row, xargs -P8',
    `${Math.round(imported.rate / (own / each.seconds))}x`,
    '',
    perSecond(own, each.seconds),
  )
  await server.stop()
  return { ...(await curlParallel(latencyMs)), each }
}

async function curlParallel(latencyMs, users = 5000) {
  const server = await startServer('server.js', latencyMs)
  const config = [...requestsOf(users, rowsPerUser)]
    .map(({ path, body }) =>
      [
        `url = "${server.url}${path}"`,
        `header = "x-api-key: ${key}"`,
        'header = "content-type: application/json"',
        `data-raw = ${JSON.stringify(body)}`,
        'output = /dev/null',
      ].join('\n'),
    )
    .join('\nnext\n')
  writeFileSync(join(folder, 'curl.txt'), config)
  const words = ['-s', '--parallel', '--parallel-max', String(inFlight), '--config', join(folder, 'curl.txt')]
  const ran = await run('curl', words)
  const { posts } = await server.stop()
  if (posts !== users) throw new Error(`curl sent ${posts} of ${users} requests`)
  return { rate: (users * rowsPerUser) / ran.seconds }
}

/** Lets the program keep its compiled code. */
async function warmUp() {
  const path = join(folder, 'first.csv')
  await writeRows(path, 100, rowsPerUser)
  for (let n = 0; n < 2; n++) await importFile(path, 0)
  await dryRun(path)
}

async function dryRun(path, measure = run) {
  const server = await startServer('server.js', 0)
  const words = [program, 'answers', 'import', path, '--dry-run', '--quiet']
  const ran = await measure(process.execPath, words, { env: environment(server.url) })
  await server.stop()
  return ran
}

/** As whole processes, in turns: beside a split of the text at its newlines, whole and piece by piece, and beside Node's own reader. */
async function measureDryRun(users) {
  const rows = users * rowsPerUser
  const path = join(folder, 'dry.csv')
  await writeRows(path, users, rowsPerUser)
  const turns = []
  for (let n = 0; n < 3; n++) {
    const split = await time(process.execPath, [script('line-split.js'), path])
    const stream = await time(process.execPath, [script('line-stream.js'), path])
    const readline = await time(process.execPath, [script('line-reader.js'), path])
    turns.push({ split, stream, readline, dry: await dryRun(path, time) })
  }
  for (const [other, otherName] of [
    ['split', 'a plain line split'],
    ['stream', 'one piece by piece'],
    ['readline', 'readline'],
  ]) {
    for (const [what, name] of [
      ['seconds', 'the clock'],
      ['processor', 'the processor'],
    ]) {
      const turn = medianTurn(turns, ({ dry, ...others }) => others[other][what] / dry[what])
      const [least, dry] = [turn[other][what], turn.dry[what]]
      report(
        `dry run of ${rows.toLocaleString('en')} rows, ${otherName}, by ${name}`,
        (least / dry).toFixed(2),
        other === 'split' && what === 'seconds' ? '0.50' : '',
        `${perSecond(rows, dry)} of ${perSecond(rows, least)}`,
      )
    }
  }
}

/** Whether the errors file has every wrong row of a large input, and what it costs. */
async function measureErrors(rows) {
  const path = join(folder, 'wrong.csv')
  const wrong = await writeWrongRows(path, rows, 97)
  const server = await startServer('server.js', 0)
  const words = ['answers', 'import', path, '--dry-run', '--results', folder, '--quiet']
  const { megabytes, seconds } = await run(process.execPath, [program, ...words], {
    env: environment(server.url),
  })
  await server.stop()
  const listed = readFileSync(join(folder, 'rejects.csv'), 'utf8').trimEnd().split('\n').length - 1
  report(
    `errors listed of ${rows.toLocaleString('en')} rows with one in 97 wrong`,
    (listed / wrong).toFixed(2),
    '1.00',
    `${listed} of ${wrong}, ${Math.round(seconds)} s, ${Math.round(megabytes.most)} MB`,
  )
  rmSync(join(folder, 'rejects.csv'))
}

/** At most, where the collector of garbage has its say, and half of the time. */
async function measureMemory(what, sizes, measure) {
  const found = []
  for (const rows of sizes) {
    const path = join(folder, 'memory.csv')
    await writeRows(path, rows / rowsPerUser, rowsPerUser)
    const { megabytes, seconds } = await measure(path)
    found.push({ rows, ...megabytes })
    report(
      `resident memory, ${what} of ${rows.toLocaleString('en')} rows`,
      `${Math.round(megabytes.most)} MB`,
      '200 MB',
      `${Math.round(megabytes.usual)} MB half of the time, ${Math.round(seconds)} s`,
    )
  }
  const [last, before] = found.toReversed()
  // Below a million rows the heap has not found its size yet.
  if (before.rows < 1e6) return
  const growth = (name) =>
    `${((last[name] - before[name]) / ((last.rows - before.rows) / 1e6)).toFixed(1)} MB`
  report(
    `growth for each million rows, ${what}`,
    growth('most'),
    '1 MB',
    `${growth('usual')} half of the time`,
  )
}

try {
  say(
    `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} before the start, ${inFlight} requests in flight, ${rowsPerUser} answers a request`,
  )
  await warmUp()
  const rows = 1_000_000
  const { seconds } = await compareWithLoop(rows, 0, '0.60', 3)
  await compareWithLoop(100_000, 50, '0.97', 3)
  const rate = rows / seconds
  const { rate: parallel } = await compareWithCurl(0, { rate })
  report(
    'rows/s, whole command, against curl --parallel',
    `${(rate / parallel).toFixed(2)}x`,
    '',
    perSecond(parallel, 1),
  )
  const sizes = [100_000, 1_000_000, ...(isFull ? [10_000_000] : [])]
  for (const rows of sizes) await measureDryRun(rows / rowsPerUser)
  for (const rows of sizes.slice(1)) await measureErrors(rows)
  await measureMemory('dry run', sizes, dryRun)
  await measureMemory('import', sizes, (path) => importFile(path, 0))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
