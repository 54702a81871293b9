import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const memoryEveryMs = 50

export const key = 'k'.repeat(40)

export function report(what, value, goal = '', details = '') {
  console.log(`${what.padEnd(64)} ${value.padStart(9)}   goal ${goal.padEnd(9)} ${details}`)
}

export const perSecond = (count, seconds) => `${Math.round(count / seconds).toLocaleString('en')}/s`

export function medianTurn(turns, ratio) {
  return turns.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(turns.length / 2)]
}

/** Each run has an empty state directory. All runs share the compile cache, as on a machine that ran the program before. */
export function environment(folder, url) {
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

/** Runs a program to its end. Returns seconds, standard output, exit code, and resident memory in MB (peak and median). */
export async function run(command, args, options = {}) {
  const startedAt = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let [stdout, stderr] = ['', '']
  const memory = []
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const timer = setInterval(() => memory.push(memoryOf(child.pid)), memoryEveryMs)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  const most = Math.max(...memory.map(({ peak }) => peak))
  const usual = memory.map(({ now }) => now).sort((a, b) => a - b)[Math.floor(memory.length / 2)]
  return { seconds, stdout, stderr, code, megabytes: { most, usual } }
}

/** Resident memory and its peak, in MB (Linux only). */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [peak, now] = ['VmHWM', 'VmRSS'].map((name) => {
      const [, kilobytes = 0] = new RegExp(`${name}:\\s+(\\d+)`).exec(status) ?? []
      return Number(kilobytes) / 1024
    })
    return { peak, now }
  } catch {
    return { peak: 0, now: 0 }
  }
}

/** Starts a service of this folder; `stop` returns what the service counted. */
export async function startServer(file, ...args) {
  const path = new URL(file, import.meta.url).pathname
  const child = spawn(process.execPath, [path, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      const counts = once(child.stdout, 'data')
      child.stdin.end()
      return JSON.parse(String((await counts)[0]))
    },
  }
}
