// Measures the share of a rate limit that an import uses: npm run bench:pace
import { join } from 'node:path'
import { writeRows } from './bench/input.js'
import { folder, importAnswers, report } from './bench/measure.js'

const rowsPerUser = 1
const changeSeconds = 10
const sum = (seconds, kind) => seconds.reduce((total, second) => total + second[kind], 0)

/** Imports answers for a number of users, with one request per user. Returns the accepted and refused requests per second. */
async function measure(users, mode) {
  const path = join(folder, `${users}.csv`)
  await writeRows(path, users, rowsPerUser)
  return (await importAnswers(path, mode)).counts
}

function check(name, found, required, seconds) {
  const refused = (100 * sum(seconds, 'refused')) / (sum(seconds, 'refused') + sum(seconds, 'accepted'))
  const isMet = found >= required && refused < 3
  if (!isMet) process.exitCode = 1
  const details = `429 ${refused.toFixed(1)} % (goal 3.0)${isMet ? '' : '  NOT MET'}`
  report(name, found.toFixed(2), required.toFixed(2), details)
}

/** Accepted requests per second from second `from` to second `to`. The last second is incomplete, so it is excluded by default. */
function rate(seconds, from = 0, to = seconds.length - 1) {
  const part = seconds.slice(from, Math.min(to, seconds.length - 1))
  return sum(part, 'accepted') / part.length
}

await measure(2_000, 'random 0')
// Measures in a long run whether random 429 responses reduce the rate. Because other programs can reduce it too, a run without 429
// responses is measured before and after.
const before = rate(await measure(100_000, 'random 0'))
const random = await measure(200_000, 'random 0.01')
const free = (before + rate(await measure(100_000, 'random 0'))) / 2
check(`1 % random 429, of ${Math.round(free)} requests/s without`, rate(random) / free, 0.7, random)
const steady = await measure(300 * 20, 'bucket 300')
check('token bucket of 300 requests/s', rate(steady) / 300, 0.95, steady)
for (const [name, after] of Object.entries({ doubles: 600, halves: 150 })) {
  const users = 300 * changeSeconds + after * (changeSeconds + 6)
  const seconds = await measure(users, `bucket 300 ${after} ${changeSeconds}`)
  const found = rate(seconds, 2 * changeSeconds) / after
  check(`token bucket that ${name}, 10 s after the change`, found, 0.9, seconds)
}
