import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const memoryEveryMs = 50

/** Runs a program to its end: seconds, standard output, exit code, and the most memory it held, in MB. */
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
    megabytes = Math.max(megabytes, peakMemory(child.pid))
  }, memoryEveryMs)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  return { seconds: (performance.now() - startedAt) / 1000, stdout, stderr, code, megabytes }
}

/** Runs a program to its end, which must be a good one: seconds by the clock and of the processor, start-up included. */
export async function time(command, args, options = {}) {
  const script = '"$@" || exit; times >&3'
  const startedAt = performance.now()
  const child = spawn('sh', ['-c', script, 'sh', command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    ...options,
  })
  let [complaint, times] = ['', '']
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  child.stdio[3].on('data', (chunk) => {
    times += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaint}`)
  const seconds = (performance.now() - startedAt) / 1000
  // The second line is of the children: user and system, such as 0m0.41s 0m0.05s.
  const [, ofChildren] = times.split('\n')
  const processor = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => minutes * 60 + Number(rest))
    .reduce((sum, part) => sum + part, 0)
  return { seconds, processor }
}

/** The kernel's high-water mark of resident memory, in MB; Linux only. */
function peakMemory(pid) {
  try {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/** Starts the benchmark's service; `stop` answers with what it was sent. */
export async function startServer(latencyMs) {
  const child = spawn(process.execPath, [new URL('server.js', import.meta.url).pathname, String(latencyMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
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
