import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idleClock } from '../../helpers/clock.ts'
import { createMachine } from '../../helpers/facescan.ts'
import { type RawRequest, reply, type Step, serve } from '../../helpers/hostile-server.ts'

const { facescan, home } = createMachine()
const user = { user_id: '00000000-0000-4000-8000-000000000001', customer: { customer_id: 'c' } }

function listOf(rows: readonly string[]): string {
  const path = join(home, 'list.csv')
  writeFileSync(path, ['external_user_id', ...rows, ''].join('\n'))
  return path
}

/** Runs "users get" for a list and a server, with a clock that only advances while nothing is in progress. */
async function get(rows: readonly string[], flags: string, respond: (request: RawRequest) => Step) {
  const clock = idleClock()
  const times: number[] = []
  const server = await serve((request) => {
    times.push(clock.now())
    return respond(request)
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const ran = await facescan(`users get --users ${listOf(rows)} ${flags}`, { env, clock })
  const gaps = times.slice(1).map((time, n) => time - times[n]!)
  return { ...ran, gaps, targets: server.requests.map(({ target }) => target) }
}

test('with --rate 1/s, the requests for a list start about one second apart, including retries', async () => {
  let attempts = 0
  const { gaps, exitCode, stderr } = await get(['a', 'b', 'c'], '-o csv --rate 1/s', ({ target }) =>
    target.includes('=b') && attempts++ === 0 ? reply(503, {}) : reply(200, user),
  )
  expect(exitCode, stderr).toBe(0)
  expect(gaps).toHaveLength(3)
  expect(gaps.filter((gap) => gap < 950)).toEqual([])
})

test('if several rows have the same user, "users get" sends one request and prints each row', async () => {
  const { stdout, targets } = await get(['a', 'a', 'b'], '-o csv', () => reply(200, user))
  expect(stdout.match(/^[ab],/gm)).toEqual(['a,', 'a,', 'b,'])
  expect(targets).toHaveLength(2)
})

test('if the failed users of a list cannot be saved, the error still contains the numbers of processed users', async () => {
  const { exitCode, stderr } = await get(['a', 'gone'], '-o csv --errors /dev/full', ({ target }) =>
    target.includes('gone') ? reply(404, { detail: 'user not found' }) : reply(200, user),
  )
  expect(exitCode).toBe(13)
  expect(stderr).toContain('cannot write /dev/full (no space left on device)')
  expect(stderr).toContain('1 done, 1 failed, 0 not tried')
})

test('the service is tested with a second path only if a user was not found', async () => {
  const { exitCode, targets, stderr } = await get(['a', 'bad'], '-o csv', ({ target }) =>
    target.includes('bad') ? reply(400, { detail: 'invalid' }) : reply(200, user),
  )
  expect(exitCode, stderr).toBe(10)
  expect(targets.filter((target) => target.includes('questions'))).toEqual([])
})
