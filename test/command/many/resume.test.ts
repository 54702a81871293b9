import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachine } from '../../helpers/facescan.ts'
import { seededRandom } from '../../helpers/seeded.ts'
import { type Service, startService } from '../../helpers/service.ts'

const users = Array.from({ length: 400 }, (_, index) => `u${index}`)
const machine = createMachine()
let service: Service
let env: Record<string, string>

beforeAll(async () => {
  service = await startService()
  env = {
    ...machine.env,
    FACESCAN_API_KEY: service.keys.development.key,
    FACESCAN_BASE_URL: service.url,
  }
  writeFileSync(
    join(machine.home, 'list.csv'),
    `external_user_id,sex\n${users.map((id) => `${id},F\n`).join('')}`,
  )
})

afterAll(() => service.close())

function start(words: readonly string[]) {
  const child = spawn(process.execPath, ['bin/facescan.js', ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.resume()
  child.stderr.resume()
  return child
}

/** Kills the same command at random moments until it ends by itself. Returns the number of kills and the exit code. */
async function killUntilDone(
  words: readonly string[],
  seed: number,
): Promise<{ kills: number; code: number }> {
  const random = seededRandom(seed)
  for (let kills = 0; ; kills++) {
    const child = start(words)
    const timer = setTimeout(() => child.kill('SIGKILL'), kills < 12 ? 250 + random() * 500 : 60_000)
    const [code] = (await once(child, 'exit')) as [number | null]
    clearTimeout(timer)
    if (code !== null) return { kills, code }
  }
}

test('users import creates each user once, however often it is killed', { timeout: 120_000 }, async () => {
  const out = join(machine.home, 'users.csv')
  const words = [
    'users',
    'import',
    join(machine.home, 'list.csv'),
    '--existing',
    'fail',
    '--rate',
    '150/s',
    '--yes',
  ]
  const { kills, code } = await killUntilDone(words, 7)
  expect({ code, hasKills: kills > 0 }).toEqual({ code: 0, hasKills: true })
  const [header, ...rows] = readFileSync(out, 'utf8').trim().split('\r\n')
  expect(header).toBe('external_user_id,user_id,status')
  expect(rows.map((row) => row.split(',')[0])).toEqual(users)
  expect(new Set(rows.map((row) => row.split(',')[1])).size).toBe(users.length)
  expect(rows.every((row) => row.endsWith(',created'))).toBe(true)
})

test('the output file after kills equals the file of an uninterrupted run', {
  timeout: 120_000,
}, async () => {
  const list = join(machine.home, 'list.csv')
  const folder = mkdtempSync(join(tmpdir(), 'facescan-lists-'))
  const [whole, killed] = ['whole.csv', 'killed.csv'].map((name) => join(folder, name))
  const words = (out: string) => ['users', 'get', '--users', list, '--rate', '150/s', '--out', out]
  const { code } = await killUntilDone(words(killed!), 11)
  expect(code).toBe(0)
  const [exitCode] = await once(start(words(whole!).toSpliced(4, 2)), 'exit')
  expect(exitCode).toBe(0)
  expect(readFileSync(killed!, 'utf8')).toBe(readFileSync(whole!, 'utf8'))
  expect(existsSync(`${killed}.partial`)).toBe(false)
})
