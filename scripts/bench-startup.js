// Start-up and installation as whole processes beside bare Node, in one run:
//   npm run bench:startup -- [major versions of Node, such as 20 24] [--rounds 25] [--no-cold] [--no-install]
// The executable is measured where `npm run build:binary` made it, other command lines where they are installed: none is ever
// installed here. A cold disk needs Linux and root, and empties the page cache of the whole machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import { install, installedSize, pack, sizeOf } from './bench/install.js'
import { medians } from './bench/processes.js'
import { nodeBinary } from './node-binaries.js'

const { values: flags, positionals: majors } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '25' },
    cold: { type: 'boolean', default: true },
    install: { type: 'boolean', default: true },
  },
})
const rounds = Number(flags.rounds)

const folder = mkdtempSync(join(tmpdir(), 'facescan-bench-'))
const user = { user_id: '8d38118f-3b79-409b-be37-59a541f4499e', sex: 'F', language: 'en', customer: 'Acme' }
const server = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(user)),
)
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const url = `http://127.0.0.1:${server.address().port}`
const env = {
  HOME: folder,
  PATH: process.env.PATH,
  FACESCAN_BASE_URL: url,
  FACESCAN_API_KEY: 'k'.repeat(40),
}

const script = (name) => join(import.meta.dirname, 'bench', name)
const undiciGet = join(folder, 'undici-get.cjs')
buildSync({
  entryPoints: [script('undici-get.cjs')],
  outfile: undiciGet,
  ...{ bundle: true, minify: true, platform: 'node' },
})
const userUrl = `${url}/v2/users?external_user_id=4711`
const executable = resolve('build/facescan')

/** What is compared, each with the bare Node of the same version. */
const subjects = [
  ...(majors.length === 0 ? [process.execPath] : majors.map(nodeBinary)).map((node) => ({
    node,
    name: 'facescan',
    program: [node, resolve('bin/facescan.js')],
  })),
  ...(existsSync(executable) ? [{ node: nodeBinary(26), name: 'executable', program: [executable] }] : []),
]

const bare = ({ node }) => ({ 'bare node': [node, script('nothing.cjs')] })
const starts = ({ name, program }) => ({
  [`${name} --version`]: [...program, '--version'],
  [`${name} --help`]: [...program, '--help'],
  [`${name} users get`]: [...program, 'users', 'get', '--external-user-id', '4711'],
})
/** A request without the program: with Node's own client, and with undici bundled whole. */
const bareGets = ({ node }) => ({
  'bare GET with node:http': [node, script('http-get.cjs'), userUrl],
  'bare GET with undici': [node, undiciGet, userUrl],
})
const completion = ({ name, program }) => ({
  [`${name} completion bash`]: [...program, 'completion', 'bash'],
})

const emptyCodeCache = () => rmSync(join(folder, '.cache'), { recursive: true, force: true })
const pageCache = '/proc/sys/vm/drop_caches'
const emptyAllCaches = () => {
  emptyCodeCache()
  spawnSync('sync')
  writeFileSync(pageCache, '1')
}

const tables = [
  { title: 'warm', rows: [bare, starts, completion, bareGets] },
  { title: 'warm, in a terminal', rows: [bare, starts], inTerminal: true },
  { title: 'without kept code', rows: [bare, starts], before: emptyCodeCache },
  { title: 'from a cold disk', rows: [bare, starts, bareGets], before: emptyAllCaches, isCold: true },
].filter(({ isCold }) => !isCold || (flags.cold && isWritable(pageCache)))

// A Tab asks a function of the shell and starts no program.
const tab = 'source completions/facescan.bash; COMP_WORDS=(facescan users g) COMP_CWORD=2; _facescan'
const shellRows = {
  'bare bash': ['bash', '--norc', '-c', ':'],
  'a Tab after "facescan users g"': ['bash', '--norc', '-c', `${tab}; [[ \${COMPREPLY[*]} == get ]]`],
}

/** Named in the aims of the project. */
const others = ['sf', 'heroku', 'twilio', 'contentful', 'stripe', 'gh'].map((name) => ({
  name,
  path: spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(),
}))
const present = others.filter(({ path }) => path !== '')
const absent = others.filter(({ path }) => path === '').map(({ name }) => name)

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

/** The first row is what the others are compared with. */
async function report(title, rows, { isCold = false, ...options } = {}) {
  const times = isCold ? Math.ceil(rounds / 3) : rounds
  const found = await medians(rows, times, { env, ...options })
  say(`\n${title}; medians of ${times} runs`)
  for (const { name, ms } of found) {
    say(`${name.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms ${(ms / found[0].ms).toFixed(2).padStart(6)} x`)
  }
}

async function reportStarts() {
  for (const subject of subjects) {
    const version = execFileSync(subject.node, ['--version'], { encoding: 'utf8' }).trim()
    for (const { title, rows, ...options } of tables) {
      const commands = Object.assign({}, ...rows.map((make) => make(subject)))
      await report(`Node ${version}, ${title}`, commands, options)
    }
  }
  if (!existsSync(executable)) say('\nThe executable is not built: npm run build:binary')
  await report('Completion', shellRows)
  const command = ({ name, path }) => ({
    [`${name} --version`]: [path, '--version'],
    [`${name} --help`]: [path, '--help'],
  })
  if (present.length > 0) {
    const rows = Object.assign(bare(subjects[0]), ...present.map(command))
    await report('Other command lines', rows)
  }
  if (absent.length > 0) say(`\nNot on this machine, so not compared: ${absent.join(', ')}`)
}

function reportInstallations() {
  const tarball = pack(folder)
  const size = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`
  const line = (name, bytes, text = '') => say(`${name.padEnd(44)} ${size(bytes)} ${text}`)
  say('\nInstallation, into an empty prefix with an empty cache')
  line('tarball', sizeOf(tarball))
  for (const [name, words] of Object.entries({
    'npm install -g, with optional packages': [],
    'npm install -g, the tarball alone': ['--omit=optional', '--offline'],
  })) {
    const { seconds, bytes } = install(tarball, folder, ...words)
    line(name, bytes, `${seconds.toFixed(1).padStart(6)} s`)
  }
  if (existsSync(executable)) line('executable', sizeOf(executable))
  for (const { name, path } of present) line(name, installedSize(path))
}

try {
  say(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)} before the start`)
  await reportStarts()
  if (flags.install) reportInstallations()
} finally {
  server.close()
  rmSync(folder, { recursive: true })
}
