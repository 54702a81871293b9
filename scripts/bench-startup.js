// Measures the time of complete processes, compared with "node -e 0" in the same run:
//   npm run bench:startup -- [Node versions, such as 20 24] [--rounds 25]
// The commands take turns, so that other load on the machine affects all of them. CPU time (Linux) varies less than wall time.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { folder, key, program, withServer } from './bench/measure.js'
import { nodeBinary } from './node-binaries.js'

const { values: flags, positionals: majors } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '25' } },
})
const base = { HOME: folder, PATH: process.env.PATH }
const sandbox = { ...base, FACESCAN_PROFILE: 'SANDBOX-DEV' }

/** The measured commands, with their environment and their goal. The goal is a multiple of the time of bare Node. */
const commandsFor = (url) => ({
  '--version': [['--version'], base, 1.1],
  '--help': [['--help'], base, 1.5],
  'users get, loopback': [
    ['users', 'get', '4711'],
    { ...base, FACESCAN_BASE_URL: url, FACESCAN_API_KEY: key },
    { v20: 3.6, v24: 2.8 },
  ],
  'users get, sandbox': [['users', 'get', '4711'], sandbox, { v20: 3.6, v24: 2.7 }],
})

function findSubjects() {
  const nodes = (majors.length > 0 ? majors : [20, 24]).map(nodeBinary)
  const subjects = nodes.map((node) => ({ node, command: [node, program] }))
  const executable = resolve('build/facescan')
  return existsSync(executable) ? [...subjects, { node: nodeBinary(26), command: [executable] }] : subjects
}

/** Runs a command to its end. Returns its wall time and CPU time in ms. */
function time([command, env]) {
  const startedAt = performance.now()
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&3'
  const options = { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], env, encoding: 'utf8' }
  const { status, output } = spawnSync('bash', ['-c', script, 'bash', ...command], options)
  if (status !== 0) throw new Error(`${command.join(' ')} ended with exit code ${status}`)
  const [user, system] = output[3].trim().split(' ').map(Number)
  return { wall: performance.now() - startedAt, cpu: (user + system) * 1000 }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function report({ node, command }, commands) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const rows = { 'node -e 0': [[node, '-e', '0'], base] }
  for (const [name, [words, env, goal]] of Object.entries(commands))
    rows[name] = [[...command, ...words], env, goal[version.slice(0, 3)] ?? goal]
  const times = Object.fromEntries(Object.keys(rows).map((name) => [name, []]))
  // The first round fills the compile cache, so it is not counted.
  for (let round = 0; round <= Number(flags.rounds); round++) {
    for (const [name, row] of Object.entries(rows)) {
      const found = time(row)
      if (round > 0) times[name].push(found)
    }
  }
  console.log(`\nNode ${version}, ${command.join(' ')}: medians of ${flags.rounds} runs`)
  const middle = (name, kind) => median(times[name].map((found) => found[kind]))
  for (const [name, [, , goal]] of Object.entries(rows)) {
    const cells = ['wall', 'cpu'].map((kind) => {
      const ms = middle(name, kind)
      return `${kind} ${ms.toFixed(0).padStart(4)} ms ${(ms / middle('node -e 0', kind)).toFixed(2).padStart(5)}x`
    })
    const shownGoal = typeof goal === 'number' ? `goal ${goal}x` : ''
    console.log(`${name.padEnd(20)} ${cells.join('   ')}   ${shownGoal}`)
  }
}

const create = ['users', 'create', '4711', '--sex', 'F', '--if-not-exists']
execFileSync(process.execPath, [program, ...create], { env: sandbox, stdio: 'ignore' })
await withServer('latency 0', (url) => {
  for (const subject of findSubjects()) report(subject, commandsFor(url))
})
