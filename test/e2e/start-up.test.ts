import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { realClock } from '../helpers/clock.ts'

/**
 * What each command line loads, from the coverage that Node writes of every script it compiled. Loading is what a start
 * costs; milliseconds depend on the machine. When a test fails, something is imported at the top of a file that only some
 * commands need: import it where it is used, with `await import()`.
 */

interface Meta {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

const program = resolve('bin/facescan.js')
const { outputs } = JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Meta
let home: string
let sandbox: Sandbox

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'facescan-start-up-'))
  sandbox = await startSandbox({ database: join(home, 'sandbox.db'), clock: realClock })
})

afterAll(async () => {
  await sandbox.close()
  rmSync(home, { recursive: true })
})

/** Packages that a command line loads, and the number of files that hold them and the program. */
async function loadedBy(line: string): Promise<{ chunks: number; packages: string[] }> {
  const coverage = mkdtempSync(join(home, 'coverage-'))
  const child = spawn(process.execPath, [program, ...line.split(' ').filter(Boolean)], {
    stdio: 'ignore',
    env: {
      HOME: home,
      NODE_V8_COVERAGE: coverage,
      FACESCAN_BASE_URL: sandbox.url,
      FACESCAN_API_KEY: sandbox.keys.development.key,
    },
  })
  await once(child, 'exit')
  const scripts = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
  const chunks = scripts.flatMap((url) => /dist\/.*\.cjs$/.exec(url)?.[0] ?? [])
  const inputs = chunks.flatMap((chunk) => Object.entries(outputs[chunk]?.inputs ?? {}))
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input)
  const packages = used.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])
  return {
    chunks: chunks.length,
    packages: [...new Set(packages)].filter((name) => !measuring.includes(name)).sort(),
  }
}

/** Small, and loaded with every output; what they need for text outside ASCII is made when such text comes. */
const measuring = [
  ...['ansi-regex', 'ansi-styles', 'fastest-levenshtein', 'get-east-asian-width'],
  ...['string-width', 'strip-ansi', 'wrap-ansi'],
]

test('--version loads nothing of the program', async () => {
  expect(await loadedBy('--version')).toEqual({ chunks: 0, packages: [] })
})

test.each(['', '--help', 'users --help', 'users get --help'])(
  'the help of "%s" loads no package',
  async (line) => {
    expect((await loadedBy(line)).packages).toEqual([])
  },
)

test.each(['users get', 'imports list', 'profiles list'])(
  '%s, which sends nothing, loads only the parser',
  async (line) => {
    expect((await loadedBy(line)).packages).toEqual(['commander'])
  },
)

test.each(['users get --external-user-id 4711', 'metrics --external-user-id 4711 --json', 'answers keys'])(
  '%s loads the parser, the contract and the HTTP core',
  async (line) => {
    expect((await loadedBy(line)).packages).toEqual(['commander', 'undici', 'zod'])
  },
)

test('of zod, the languages of its messages are left out', () => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  expect(inputs.filter((input) => /zod\/.*locales\/(?!en|index)/.test(input))).toEqual([])
})
