// Measures how long whole processes take, compared with "node -e 0" in the same run:
//   npm run bench:startup -- [Node versions, such as 20 24] [--rounds 25] [--program DIRECTORY]
// The commands run in turn, so that other load on the machine affects all of them. CPU time (Linux) varies less than wall time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeBinary } from './node-binaries.js'

const { values: flags, positionals: majors } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '25' }, program: { type: 'string', default: '.' } },
})
const rounds = Number(flags.rounds)
const home = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const user = { user_id: '8d38118f-3b79-409b-be37-59a541f4499e', sex: 'F', language: 'en', customer: 'Acme' }
const server = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(user)),
)
await once(server.listen(0, '127.0.0.1'), 'listening')
const base = { HOME: home, PATH: process.env.PATH }
const remote = {
  ...base,
  FACESCAN_BASE_URL: `http://127.0.0.1:${server.address().port}`,
  FACESCAN_API_KEY: 'k'.repeat(40),
}
const sandbox = { ...base, FACESCAN_PROFILE: 'SANDBOX-DEV' }

/** Each command, its environment, and the goal: its time divided by the time of bare Node. */
const commands = {
  '--version': [['--version'], base, 1.1],
  '--help': [['--help'], base, 1.3],
  'users get, loopback': [['users', 'get', '4711'], remote, { v20: 2.3, v24: 3 }],
  'users get, sandbox': [['users', 'get', '4711'], sandbox, { v20: 3.3 }],
}
const executable = resolve('build/facescan')
const subjects = [
  ...(majors.length > 0 ? majors : [20, 24]).map((major) => ({
    node: nodeBinary(major),
    program: [nodeBinary(major), resolve(flags.program, 'bin/facescan.js')],
  })),
  ...(existsSync(executable) ? [{ node: nodeBinary(26), program: [executable] }] : []),
]

/** Runs a command to its end. Returns its output and its wall time and CPU time, in ms. */
async function run([command, ...words], env) {
  const startedAt = performance.now()
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&3'
  const child = spawn('bash', ['-c', script, 'bash', command, ...words], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env,
  })
  const texts = ['', '']
  for (const [index, stream] of [child.stdout, child.stdio[3]].entries()) {
    stream.on('data', (chunk) => {
      texts[index] += chunk
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with exit code ${code}`)
  const [user, system] = texts[1].trim().split(' ').map(Number)
  return { output: texts[0], wallMs: performance.now() - startedAt, cpuMs: (user + system) * 1000 }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function report({ node, program }) {
  const { output: version } = await run([node, '--version'], base)
  const rows = { 'node -e 0': [[node, '-e', '0'], base] }
  for (const [name, [words, env, goal]] of Object.entries(commands))
    rows[name] = [[...program, ...words], env, goal[version.slice(0, 3)] ?? goal]
  const times = Object.fromEntries(Object.keys(rows).map((name) => [name, []]))
  // The first round warms up: it fills the compile cache and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, [command, env]] of Object.entries(rows)) {
      const time = await run(command, env)
      if (round > 0) times[name].push(time)
    }
  }
  console.log(`\nNode ${version.trim()}, ${program.join(' ')}: medians of ${rounds} runs`)
  const middle = (name, kind) => median(times[name].map((time) => time[kind]))
  for (const [name, [, , goal]] of Object.entries(rows)) {
    const cells = ['wallMs', 'cpuMs'].map((kind) => {
      const ms = middle(name, kind)
      return `${kind.slice(0, -2)} ${ms.toFixed(0).padStart(4)} ms ${(ms / middle('node -e 0', kind)).toFixed(2).padStart(5)}x`
    })
    console.log(
      `${name.padEnd(20)} ${cells.join('   ')}${typeof goal === 'number' ? `   goal ${goal}x` : ''}`,
    )
  }
}

try {
  console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  await run(
    [process.execPath, 'bin/facescan.js', 'users', 'create', '4711', '--sex', 'F', '--if-not-exists'],
    sandbox,
  )
  for (const subject of subjects) await report(subject)
} finally {
  server.close()
  rmSync(home, { recursive: true })
}
