// Functions for the benchmarks. The compared programs take turns, so that other load on the machine slows all of them. The round with the
// median ratio is shown.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const memoryEveryMs = 50
const turnCount = 3
const concurrency = 32

export const key = 'k'.repeat(40)
export const program = resolve('bin/facescan.js')
export const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the start`)

export function report(what, value, goal = '', details = '') {
  console.log(`${what.padEnd(64)} ${value.padStart(9)}   goal ${goal.padEnd(9)} ${details}`)
}

/** Compares the durations of `own` and `other`. Both functions return seconds. Returns the round with the median ratio. */
export async function compare(what, count, goal, { other, own }) {
  const turns = []
  for (let turn = 0; turn < turnCount; turn++) turns.push({ other: await other(), own: await own() })
  const ratio = (turn) => turn.other.seconds / turn.own.seconds
  const turn = turns.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(turnCount / 2)]
  const rate = ({ seconds }) => `${Math.round(count / seconds).toLocaleString('en')}/s`
  report(what, ratio(turn).toFixed(2), goal, `${rate(turn.own)} of ${rate(turn.other)}`)
  return turn
}

export function reportMemory(what, { megabytes, seconds }) {
  report(
    `resident memory (peak), ${what}`,
    `${Math.round(megabytes)} MB`,
    '200 MB',
    `${Math.round(seconds)} s`,
  )
}

/** Runs `work` with a new service. Returns the result of `work`, and the accepted and refused saves per second. */
export async function withServer(mode, work) {
  const args = [new URL('server.js', import.meta.url).pathname, ...mode.split(' ')]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  const result = await work(`http://127.0.0.1:${String(port).trim()}`)
  const counts = once(child.stdout, 'data')
  child.stdin.end()
  return { ...result, counts: JSON.parse(String((await counts)[0])) }
}

/** An environment with an empty state directory and the compile cache of earlier runs. */
export function environment(url) {
  return {
    PATH: process.env.PATH,
    HOME: mkdtempSync(join(folder, 'home-')),
    XDG_CACHE_HOME: join(folder, 'cache'),
    FACESCAN_BASE_URL: url,
    FACESCAN_API_KEY: key,
  }
}

export function runProgram(words, url) {
  return run(process.execPath, [program, ...words, '--quiet'], { env: environment(url) })
}

/**
 * Runs an import. Returns how long the process and the sending took (in seconds), the memory of the process, and the counts of the service.
 */
export function importAnswers(path, mode) {
  return withServer(mode, async (url) => {
    const results = mkdtempSync(join(folder, 'results-'))
    const words = ['answers', 'import', path, '--results', results, '--confirm', 'development']
    const ran = await runProgram(words, url)
    return {
      ...ran,
      sending: JSON.parse(readFileSync(join(results, `${basename(path, '.csv')}.summary.json`), 'utf8'))
        .seconds,
    }
  })
}

/** Sends the requests of `requestsOf` with undici only. */
export function runBareLoop(users, rowsPerUser, mode) {
  return withServer(mode, async (url) => {
    const loop = new URL('bare-loop.js', import.meta.url).pathname
    const { stdout } = await run(
      process.execPath,
      [loop, url, users, rowsPerUser, concurrency, key].map(String),
    )
    return { seconds: Number(stdout) }
  })
}

/** Runs a program to its end. Returns its duration in seconds, its standard output, and its maximum memory in MB. */
export async function run(command, args, options = {}) {
  const startedAt = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let [stdout, stderr, megabytes] = ['', '', 0]
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, memoryOf(child.pid))
  }, memoryEveryMs)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${code}: ${stderr}`)
  return { seconds: (performance.now() - startedAt) / 1000, stdout, megabytes }
}

/** The maximum memory of a process so far, in MB (Linux only). */
function memoryOf(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}
