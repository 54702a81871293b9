// Start-up as a whole process beside bare Node, in one run: npm run bench:startup [major versions of Node]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary } from './node-binaries.js'

const rounds = 25
const program = join(process.cwd(), 'bin/facescan.js')
const home = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const empty = join(import.meta.dirname, 'bench/nothing.cjs')
// Named in the aims of the project; only those that are installed are measured, and none is ever installed here.
const others = ['gh', 'stripe', 'sf', 'heroku', 'twilio', 'contentful'].filter(
  (name) => spawnSync('which', [name]).status === 0,
)

const server = await startSandbox()
const env = {
  HOME: home,
  PATH: process.env.PATH,
  FACESCAN_BASE_URL: server.url,
  FACESCAN_API_KEY: server.key,
}
run(process.execPath, [program, 'users', 'create', '--external-user-id', '4711'])

const nodes = process.argv.length > 2 ? process.argv.slice(2).map(nodeBinary) : [process.execPath]
for (const node of nodes) report(node, measure(node))
server.stop()
rmSync(home, { recursive: true })

async function startSandbox() {
  const words = [program, 'sandbox', 'serve', '--port', '0', '--db', join(home, 'sandbox.db'), '--json']
  const child = spawn(process.execPath, words, { env: { HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] })
  const [chunk] = await once(child.stdout, 'data')
  const key = spawnSync(process.execPath, [program, 'sandbox', 'key', '--db', join(home, 'sandbox.db')], {
    env: { HOME: home },
    encoding: 'utf8',
  })
  return { url: JSON.parse(chunk).url, key: key.stdout.trim(), stop: () => child.kill() }
}

function run(command, words, more = {}) {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(command, words, { env: { ...env, ...more }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

/** One after the other in each round, so that whatever else the machine does meets all of them. */
function measure(node) {
  const facescan =
    (...words) =>
    () =>
      run(node, [program, ...words])
  const cases = {
    'bare node': () => run(node, [empty]),
    'facescan --version': facescan('--version'),
    'facescan --help': facescan('--help'),
    'facescan users get': facescan('users', 'get', '--external-user-id', '4711'),
    'facescan users get, cold code cache': () => {
      const cache = mkdtempSync(join(home, 'cache-'))
      return run(node, [program, 'users', 'get', '--external-user-id', '4711'], { XDG_CACHE_HOME: cache })
    },
    ...Object.fromEntries(others.map((name) => [`${name} --version`, () => run(name, ['--version'])])),
  }
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of Object.entries(cases)) times[name].push(start())
  }
  return times
}

function report(node, times) {
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  const bare = median(times['bare node'])
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`\nNode ${version}, medians of ${rounds} runs`)
  for (const [name, values] of Object.entries(times)) {
    const ms = median(values)
    console.log(`${name.padEnd(38)} ${ms.toFixed(0).padStart(5)} ms ${(ms / bare).toFixed(2).padStart(6)} x`)
  }
}
