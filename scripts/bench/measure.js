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
