import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CodeCache, compile } from '../../src/start/code-cache.ts'

let folder: string
let cache: CodeCache
let program: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facescan-code-'))
  cache = { folder: join(folder, 'cache'), build: 'b1', engine: 'v8' }
  program = join(folder, 'program.js')
  writeFileSync(program, '({ add: (a, b) => a + b, name: "first" })\n')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** One run of the program that uses the part named; whether V8 took what was kept. */
function runOnce(part: string): boolean | undefined {
  const { script, keep } = compile(program, cache)
  expect(script.runInThisContext().add(1, 2)).toBe(3)
  keep([part])
  return script.cachedDataRejected
}

function keptFile(): string {
  return join(cache.folder, readdirSync(cache.folder)[0] ?? '')
}

test('the second run takes what the first one compiled', () => {
  expect([runOnce('a'), runOnce('a')]).toEqual([undefined, false])
  expect(readdirSync(cache.folder)).toHaveLength(1)
})

test('a run of another part adds to what is kept, and the next one of either adds nothing', () => {
  runOnce('a')
  runOnce('b')
  const kept = readFileSync(keptFile())
  expect(kept.toString('latin1')).toMatch(/^a,b\n/)
  runOnce('a')
  expect(readFileSync(keptFile())).toEqual(kept)
})

test.each([
  ['is something else', () => writeFileSync(keptFile(), 'nonsense')],
  ['has a bit turned', () => writeFileSync(keptFile(), readFileSync(keptFile()).with(-40, 1))],
  ['is cut off', () => truncateSync(keptFile(), readFileSync(keptFile()).length - 8)],
  ['can be written by others', () => chmodSync(keptFile(), 0o666)],
  ['cannot be read', () => rmSync(keptFile())],
])('a kept file that %s is not used, and replaced', (_, spoil) => {
  runOnce('a')
  spoil()
  expect(runOnce('a')).toBeUndefined()
  expect(runOnce('a')).toBe(false)
  expect(statSync(keptFile()).mode & 0o777).toBe(0o600)
})

test('what another build left is removed, and nothing is kept without a folder or where it cannot be made', () => {
  runOnce('a')
  cache = { ...cache, build: 'b2' }
  runOnce('a')
  expect(readdirSync(cache.folder)).toEqual([expect.stringMatching(/^b2-program\.js-/)])
  cache = { ...cache, folder: join(program, 'below a file') }
  expect(runOnce('a')).toBeUndefined()
  expect(compile(program, undefined).script.runInThisContext().name).toBe('first')
})
