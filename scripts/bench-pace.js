// Measures how much of a service's rate limit an import uses: npm run bench:pace
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeRows } from './bench/input.js'
import { environment, run, startServer } from './bench/measure.js'

const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const rowsPerUser = 1
const changeSeconds = 10
const sum = (seconds, key) => seconds.reduce((total, second) => total + second[key], 0)

/** Imports answers of so many users, one request each, and returns what the server saw in each second. */
async function measure(users, ...mode) {
  const path = join(folder, `${users}.csv`)
  await writeRows(path, users, rowsPerUser)
  const server = await startServer(...mode)
  const env = environment(folder, server.url)
  const words = ['answers', 'import', path, '--results', env.HOME, '--confirm', 'development', '--quiet']
  const ran = await run(process.execPath, [resolve('bin/facescan.js'), ...words], { env })
  if (ran.code !== 0) throw new Error(`the import failed: ${ran.stderr}`)
  return server.stop()
}

function report(name, found, required, seconds) {
  const refused = (100 * sum(seconds, 'refused')) / (sum(seconds, 'refused') + sum(seconds, 'accepted'))
  const isMet = found >= required && refused < 3
  if (!isMet) process.exitCode = 1
  process.stdout.write(
    `${name.padEnd(56)} ${found.toFixed(2)} (required ${required.toFixed(2)}), 429 ${refused.toFixed(1)} % (required 3.0)${isMet ? '' : '  NOT MET'}\n`,
  )
}

/** Requests per second over the seconds from `from` to `to`; the last second of a run is not complete. */
function rate(seconds, from = 0, to = seconds.length - 1) {
  const part = seconds.slice(from, Math.min(to, seconds.length - 1))
  return sum(part, 'accepted') / part.length
}

try {
  await measure(2_000, 'rate-server.js', 'random', 0)
  // Random 429 must not reduce the rate even once, so the run is long. Other load changes the rate, so two runs surround it.
  const free = async () => rate(await measure(100_000, 'rate-server.js', 'random', 0))
  const before = await free()
  const random = await measure(200_000, 'rate-server.js', 'random', 0.01)
  const unthrottled = (before + (await free())) / 2
  report(
    `1 % random 429, of ${Math.round(unthrottled)} requests/s without`,
    rate(random) / unthrottled,
    0.7,
    random,
  )
  const steady = await measure(300 * 20, 'rate-server.js', 'bucket', 300)
  report('token bucket of 300 requests/s', rate(steady) / 300, 0.95, steady)
  for (const [name, after] of [
    ['doubles', 600],
    ['halves', 150],
  ]) {
    const users = 300 * changeSeconds + after * (changeSeconds + 6)
    const seconds = await measure(users, 'rate-server.js', 'bucket', 300, after, changeSeconds)
    const found = rate(seconds, 2 * changeSeconds) / after
    report(`token bucket that ${name}, 10 s after the change`, found, 0.9, seconds)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
