// Compares `users get --users FILE` with the simplest programs that do the same, in one run on one machine:
//   npm run bench:users -- [--short]     --short: does not measure the memory for one million users
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  compare,
  environment,
  folder,
  key,
  program,
  reportMemory,
  run,
  runBareLoop,
  runProgram,
  withServer,
} from './bench/measure.js'

function writeList(users) {
  const path = join(folder, `${users}.csv`)
  const ids = Array.from({ length: users }, (_, n) => `patient-${n}`)
  writeFileSync(path, `external_user_id\n${ids.join('\n')}\n`)
  return path
}

function readList(path, mode) {
  const words = ['users', 'get', '--users', path, '--out', `${path}.${performance.now()}.ndjson`]
  return withServer(mode, (url) => runProgram(words, url))
}

/** Runs one process per ID, eight processes at a time. */
function readByProcess(path, mode, command) {
  const script = (url) => `tail -n +2 '${path}' | xargs -P8 -I{} ${command(url)} > /dev/null`
  return withServer(mode, (url) => run('bash', ['-c', script(url)], { env: environment(url) }))
}

function compareList(what, users, latencyMs, goal, readOther) {
  const mode = `latency ${latencyMs}`
  const path = writeList(users)
  return compare(`throughput compared with ${what}, ${latencyMs} ms`, users, goal, {
    other: () => readOther(mode, path),
    own: () => readList(path, mode),
  })
}

const tool = () => `${process.execPath} ${program} users get {}`
const curl = (url) => `curl -sS -H 'x-api-key: ${key}' '${url}/v2/users?external_user_id={}'`

await readList(writeList(10), 'latency 0')
await compareList('a bare undici loop', 200_000, 0, '0.60', (mode) => runBareLoop(200_000, 0, mode))
await compareList('a bare undici loop', 20_000, 50, '0.95', (mode) => runBareLoop(20_000, 0, mode))
for (const latencyMs of [0, 50]) {
  await compareList('xargs -P8 over this tool', 100, latencyMs, '', (mode, path) =>
    readByProcess(path, mode, tool),
  )
  await compareList('xargs -P8 over curl', 1_000, latencyMs, '', (mode, path) =>
    readByProcess(path, mode, curl),
  )
}
if (!process.argv.includes('--short'))
  reportMemory('1,000,000 users', await readList(writeList(1_000_000), 'latency 0'))
