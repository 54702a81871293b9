import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { realClock } from '../helpers/clock.ts'

/**
 * Checks which scripts a command line loads. Node lists these scripts in a coverage file. The scripts determine the startup time, and are
 * the same on every machine. A test fails if a static `import` statement loads a module that only some commands need. To fix this, use
 * `await import()` in the function that needs the module.
 */

interface Script {
  url: string
}

const program = resolve('bin/facescan.js')
const hasCompileCache = 'enableCompileCache' in module
/** The source files in each chunk of the bundle. */
const files = JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Record<string, string[]>
const filesByName = new Map(Object.entries(files).map(([path, list]) => [basename(path, '.cjs'), list]))
let home: string
let sandbox: Sandbox

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'facescan-start-up-'))
  sandbox = await startSandbox({ strict: true, database: join(home, 'sandbox.db'), clock: realClock })
})

afterAll(async () => {
  await sandbox.close()
  rmSync(home, { recursive: true })
})

function keyInEnvironment(): Record<string, string> {
  return { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
}

/** Writes a profile and its key file, as `profiles add` does. Returns the environment that selects the profile. */
function keyInProfile(): Record<string, string> {
  const directory = mkdtempSync(join(home, 'config-'))
  const write = (name: string, value: unknown) =>
    writeFileSync(join(directory, name), JSON.stringify(value), { mode: 0o600 })
  write('profiles.json', {
    version: 1,
    default: 'ACME-DEV',
    profiles: { 'ACME-DEV': { store: 'file', baseUrl: sandbox.url } },
  })
  write('keys-development.json', { version: 1, keys: { 'ACME-DEV': sandbox.keys.development.key } })
  return { FACESCAN_CONFIG_DIR: directory }
}

/** Runs a command line. Returns the loaded packages and source files, and the number of loaded chunks. */
async function loadedBy(
  line: string,
  env: Record<string, string> = keyInEnvironment(),
): Promise<{ chunks: number; packages: string[]; own: string[] }> {
  const coverage = mkdtempSync(join(home, 'coverage-'))
  const child = spawn(process.execPath, [program, ...line.split(' ').filter(Boolean)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { HOME: home, NODE_V8_COVERAGE: coverage, ...env },
  })
  child.stdout.resume()
  await once(child, 'exit')
  const scripts = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: Script[] }
    return result.filter(({ url }) => /\/dist\/.*\.c?js$/.test(url))
  })
  const chunks = new Set(scripts.map(({ url }) => basename(url, '.cjs')))
  const used = [...chunks].flatMap((name) => filesByName.get(name) ?? [])
  const packages = used.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])
  return {
    chunks: chunks.size,
    packages: [...new Set(packages)].filter((name) => !measuring.includes(name)).sort(),
    own: used.filter((input) => input.startsWith('src/')),
  }
}

/**
 * Small packages that are loaded for every output. The tests ignore them, because they load fast: their Unicode tables are created only for
 * text outside ASCII.
 */
const measuring = [
  ...['ansi-regex', 'ansi-styles', 'fastest-levenshtein', 'get-east-asian-width'],
  ...['string-width', 'strip-ansi', 'wrap-ansi'],
]

test('--version loads no other file of the program', async () => {
  expect(await loadedBy('--version')).toEqual({ chunks: 0, packages: [], own: [] })
})

test.each(['', '--help', 'users --help', 'users get --help'])(
  '"%s" loads no package and no command',
  async (line) => {
    const { packages, own } = await loadedBy(line)
    expect(packages).toEqual([])
    expect(own.filter((path) => /^src\/(commands\/|cli\/steps)/.test(path))).toEqual([])
  },
)

test('"completion" prints the script without loading any other command', async () => {
  const { packages, own } = await loadedBy('completion zsh')
  expect(packages).toEqual(['commander'])
  expect(own.filter((path) => /^src\/(commands|manual\/surface)/.test(path))).toEqual([
    'src/commands/completion.ts',
  ])
  const printed = execFileSync(process.execPath, [program, 'completion', 'zsh'], { env: { HOME: home } })
  expect(printed).toEqual(readFileSync('completions/_facescan'))
})

test.each([
  ['users get', []],
  ['imports list', []],
  ['profiles list', ['zod']],
])('"%s", which sends no request, loads only the parser and the packages %j', async (line, validator) => {
  expect((await loadedBy(line)).packages).toEqual(['commander', ...validator])
})

test.each(['users get --external-user-id 4711', 'metrics --external-user-id 4711 --json', 'answers keys'])(
  '"%s" loads only the parser, the HTTP client, and the validator',
  async (line) => {
    expect((await loadedBy(line)).packages).toEqual(['commander', 'undici', 'zod'])
  },
)

test('a command in the built-in sandbox does not load an HTTP client or an HTTP server', async () => {
  const onSandbox = await loadedBy('users get --external-user-id 4711', { FACESCAN_PROFILE: 'SANDBOX-DEV' })
  expect(onSandbox.packages).toEqual(['commander', 'zod'])
  expect(onSandbox.own).toContain('src/sandbox/service.ts')
  expect(onSandbox.own).not.toContain('src/sandbox/server.ts')
})

test('a command loads the same packages for a key in a file and for a key in the environment', async () => {
  const { packages } = await loadedBy('users get --external-user-id 4711', keyInProfile())
  expect(packages).toEqual(['commander', 'undici', 'zod'])
})

/** Built-in modules that load slowly. Requests and help pages do not need these modules. */
const slow = [
  'child_process',
  'crypto',
  'fs/promises',
  'http',
  'module',
  'perf_hooks',
  'readline',
  'tls',
  'zlib',
]

async function slowModulesOf(script: string, line: string): Promise<string[]> {
  const folder = mkdtempSync(join(home, 'parts-'))
  const [watcher, list] = [join(folder, 'watcher.cjs'), join(folder, 'list.json')]
  const write = `require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList))`
  writeFileSync(watcher, `process.on('exit', () => ${write})`)
  const child = spawn(process.execPath, ['--require', watcher, script, ...line.split(' ')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { HOME: home, ...keyInEnvironment() },
  })
  child.stdout.resume()
  await once(child, 'exit')
  const parts = JSON.parse(readFileSync(list, 'utf8'))
  return slow.filter((name) => parts.includes(`NativeModule ${name}`))
}

test.each(['--help', 'users get --external-user-id 4711'])(
  '"%s" does not load the slow built-in modules of Node',
  async (line) => {
    const nothing = join(home, 'nothing.cjs')
    writeFileSync(nothing, '')
    const forCompileCache = hasCompileCache ? ['module'] : []
    expect(await slowModulesOf(program, line)).toEqual([
      ...(await slowModulesOf(nothing, line)),
      ...forCompileCache,
    ])
  },
)

test.runIf(hasCompileCache)(
  'the cache for compiled code is in a directory that only the owner can enter',
  () => {
    const cache = mkdtempSync(join(home, 'cache-'))
    execFileSync(process.execPath, [program, '--help'], { env: { HOME: home, XDG_CACHE_HOME: cache } })
    const directory = join(cache, 'facescan/compiled')
    expect(readdirSync(directory)).not.toEqual([])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  },
)

test.runIf(hasCompileCache)('a symbolic link in place of the cache directory is not followed', () => {
  const cache = mkdtempSync(join(home, 'cache-'))
  const victim = mkdtempSync(join(home, 'victim-'))
  symlinkSync(victim, join(cache, 'facescan'))
  execFileSync(process.execPath, [program, '--help'], { env: { HOME: home, XDG_CACHE_HOME: cache } })
  expect(readdirSync(victim)).toEqual([])
})

test('the bundled program does not contain the translations of zod', () => {
  expect(
    Object.values(files)
      .flat()
      .filter((path) => /zod\/.*locales\/(?!en|index)/.test(path)),
  ).toEqual([])
})

test.each([
  ['users', 2],
  ['report-error', 1],
])(
  'a command whose chunk %s was removed by an upgrade exits with 13 without a stack trace',
  (name, lines) => {
    const copy = mkdtempSync(join(home, 'upgraded-'))
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(resolve(part), join(copy, part), { recursive: true })
    const removed = Object.entries(files).filter(([, sources]) =>
      sources.some((source) =>
        source.endsWith(name === 'users' ? 'commands/users/get.ts' : `cli/${name}.ts`),
      ),
    )
    expect(removed).toHaveLength(1)
    for (const [path] of removed) rmSync(join(copy, 'dist/chunks', basename(path)))
    const { status, stderr } = spawnSync(process.execPath, [join(copy, 'bin/facescan.js'), 'users', 'get'], {
      env: { HOME: home },
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(13)
    expect(stderr.trimEnd().split('\n')).toHaveLength(lines)
    expect(stderr).toMatch(/^error: /)
  },
)
