// Loads the built sandbox with autocannon and checks what it kept: node scripts/load.js [seconds]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const seconds = Number(process.argv[2] ?? 60)
const connections = 8
const batchSize = 5
const program = join(dirname(fileURLToPath(import.meta.url)), '../bin/facescan.js')
const folder = mkdtempSync(join(tmpdir(), 'facescan-load-'))
const database = join(folder, 'sandbox.db')

const server = spawn(
  process.execPath,
  [program, 'sandbox', 'serve', '--port', '0', '--db', database, '--quiet', '--json'],
  { stdio: ['ignore', 'pipe', 'ignore'] },
)
const [line] = await once(server.stdout, 'data')
const { url } = JSON.parse(line)
const key = execFileSync(process.execPath, [program, 'sandbox', 'key', '--db', database, '--quiet'], {
  encoding: 'utf8',
}).trim()
await call('POST', '/v2/users', { external_user_id: 'loaded' })
const answers = Array.from({ length: batchSize }, (_, value) => ({
  lookup_key: 'age',
  value,
  timezone: 'UTC',
}))

const residentMb = []
const sampling = setInterval(() => residentMb.push(residentMemoryMb()), 1000)
const [writes, reads] = await Promise.all([
  fire('POST', '/v2/questions/answer/many?external_user_id=loaded', answers),
  fire('GET', '/v2/userprofiles/wellbeing?external_user_id=loaded'),
])
clearInterval(sampling)

const { pagination } = await call('GET', '/v2/questions/answered?external_user_id=loaded')
const stored = pagination.total_items / batchSize
server.kill('SIGTERM')
await once(server, 'exit')
rmSync(folder, { recursive: true })

const failed = [writes, reads].map((result) => result.non2xx + result.errors + result.timeouts)
// Requests still on their way when the clock stopped are stored but not counted by the generator.
const lost = writes['2xx'] - Math.floor(stored)
const third = Math.floor(residentMb.length / 3)
const report = {
  seconds,
  writes: writes['2xx'],
  reads: reads['2xx'],
  failed: failed[0] + failed[1],
  stored,
  lost: Math.max(lost, 0),
  p99Ms: { writes: writes.latency.p99, reads: reads.latency.p99 },
  residentMb: {
    secondThird: mean(residentMb.slice(third, 2 * third)),
    lastThird: mean(residentMb.slice(2 * third)),
  },
}
console.log(JSON.stringify(report, null, 2))
const sound =
  report.failed === 0 &&
  report.lost === 0 &&
  Number.isInteger(stored) &&
  stored - writes['2xx'] <= connections
process.exit(sound ? 0 : 1)

async function call(method, path, body) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return (await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })).json()
}

async function fire(method, path, body) {
  const args = [
    '--yes',
    'autocannon@8',
    '--json',
    '--no-progress',
    '-c',
    connections,
    '-d',
    seconds,
    '-m',
    method,
  ]
  args.push('-H', `x-api-key=${key}`, '-H', 'content-type=application/json')
  if (body) args.push('-b', JSON.stringify(body))
  const child = spawn('npx', [...args.map(String), url + path], { stdio: ['ignore', 'pipe', 'ignore'] })
  const output = await new Response(child.stdout).text()
  return JSON.parse(output)
}

function residentMemoryMb() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function mean(values) {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}
