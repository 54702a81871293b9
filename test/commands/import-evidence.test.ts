import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importAltered } from '../bulk/altered-program.ts'
import { confirmed, userOf } from '../bulk/send/fixture.ts'
import { idleClock } from '../helpers/clock.ts'
import { createMachine, type RunOptions } from '../helpers/facescan.ts'
import { type RawRequest, reply, reset, serve } from '../helpers/hostile-server.ts'

const users = Array.from({ length: 20 }, (_, n) => `user-${n}`)

interface Preparation {
  /** Whether the service resets the connection of a request before it saves the answers. */
  isLost(request: RawRequest): boolean
  /** Replaces the main function of the program. */
  main?: RunOptions['main']
  /** The service waits for this promise before it saves the answers. */
  awaitTurn?(request: RawRequest): Promise<unknown> | undefined
}

/**
 * Starts a service, and returns functions that run imports. The service and the imports use one fake clock, so the result does not depend
 * on the speed of the machine.
 */
async function prepare({ isLost, main, awaitTurn }: Preparation) {
  const machine = createMachine()
  const clock = idleClock()
  const dated = (status: number, body: unknown) =>
    reply(status, body, { date: new Date(clock.now()).toUTCString() })
  const stored = new Map<string, number[]>()
  const items = new Map<string, object[]>()
  const server = await serve(async (request) => {
    if (request.target.startsWith('/v2/questions/all')) return dated(200, ['height'])
    const user = userOf(request)
    const own = items.get(user) ?? []
    if (request.method === 'GET') {
      const pagination = { page: 1, page_size: 50, total_pages: 1, total_items: own.length, next_page: null }
      return dated(200, { items: own, pagination })
    }
    await awaitTurn?.(request)
    if (isLost(request)) return reset()
    for (const { value } of [JSON.parse(request.body)].flat()) {
      const local_timestamp = new Date(clock.now()).toISOString()
      own.push({ question_lookup_key: 'height', answer: value, local_timestamp })
      stored.set(user, [...(stored.get(user) ?? []), value])
    }
    items.set(user, own)
    return confirmed(request, { date: new Date(clock.now()).toUTCString() })
  })
  const env = { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) }
  const facescan = (words: string) =>
    machine.facescan(`${words} --confirm development`, { env, clock, ...(main && { main }) })
  return {
    stored,
    requests: server.requests,
    clock,
    facescan,
    write(name: string, values: readonly number[], named = users): string {
      const path = join(machine.home, name)
      const rows = named.flatMap((user) => values.map((value) => `${user},height,${value},UTC`))
      writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
      return path
    },
    async import(words: string) {
      const { exitCode, stdout, stderr } = await facescan(`answers import ${words} --json`)
      return { exitCode, stderr, summary: JSON.parse(stdout || '{}') }
    },
  }
}

/** Selects the requests that are lost. After `begin` was called, `isLost` returns true for the first request of every third user. */
function losing() {
  const lost = new Set<string>()
  let isLosing = false
  return {
    begin: () => {
      isLosing = true
    },
    isLost(request: RawRequest) {
      const user = userOf(request)
      if (!isLosing || lost.has(user) || Number(user.slice(5)) % 3 !== 0) return false
      lost.add(user)
      return true
    },
  }
}

const last = (stored: Map<string, number[]>) => users.map((user) => stored.get(user)?.at(-1))

test('if requests are lost, an import saves each answer, even if a previous import saved identical answers', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  await service.import(service.write('a.csv', [170, 180]))
  begin()
  const { exitCode, summary, stderr } = await service.import(service.write('b.csv', [170]))
  expect([exitCode, summary.accepted, summary.retried], stderr).toEqual([0, 20, 7])
  expect(last(service.stored)).toEqual(users.map(() => 170))
  expect([...service.stored.values()]).toEqual(users.map(() => [170, 180, 170]))
})

test('each list that is used as proof of a saved answer has its own connection, so that a late duplicate of an earlier response cannot replace it', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  begin()
  const { exitCode } = await service.import(service.write('a.csv', [170]))
  expect(exitCode).toBe(0)
  const { requests } = service
  const lists = requests.filter(({ target }) => target.includes('/answered'))
  expect(lists.length).toBeGreaterThan(7)
  for (const { connection } of lists)
    expect(requests.filter((request) => request.connection === connection)).toHaveLength(1)
  const posts = requests.filter(({ method }) => method === 'POST')
  expect(new Set(posts.map(({ connection }) => connection)).size).toBeLessThan(posts.length)
})

test('if requests are lost, an import that does not check for other imports loses answers', async () => {
  const main = await importAltered({
    'writers/active-writers.ts': `export class BloomFilter {
      add() {}
    }
    export class ActiveWriters {
      async enter() {}
      async leave() {}
      async quietAfterMs() { return 0 }
      async findConcurrentWriter() {}
    }
    export const describeService = () => 'the service'`,
  })
  // If an import cannot measure the clock of the service, it reports the rows of lost requests as unknown and loses no answer. This test
  // needs a loss, so it tries up to five times.
  const losses: number[] = []
  while (losses.length < 5 && !losses.some((lost) => lost > 0)) {
    const { begin, isLost } = losing()
    const service = await prepare({ isLost, main })
    await service.import(service.write('a.csv', [170, 180]))
    begin()
    const { summary } = await service.import(service.write('b.csv', [170]))
    const wrong = users.filter((user) => service.stored.get(user)?.at(-1) !== 170).length
    losses.push(wrong - (20 - summary.accepted))
  }
  expect(Math.max(...losses)).toBeGreaterThan(0)
})

test('an import with --again right after the first run saves every row a second time', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  const path = service.write('a.csv', [170])
  await service.import(path)
  begin()
  const { exitCode, summary } = await service.import(`${path} --again`)
  expect([exitCode, summary.accepted]).toEqual([0, 20])
  expect([...service.stored.values()]).toEqual(users.map(() => [170, 170]))
})

test('if requests are lost, an import saves each answer, even if an earlier import, removed from the list of imports, saved identical answers', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  const path = service.write('a.csv', [170])
  const { summary } = await service.import(path)
  expect((await service.facescan(`imports remove ${summary.id} --yes`)).exitCode).toBe(0)
  await service.clock.sleep(1_000)
  begin()
  expect((await service.import(path)).exitCode).toBe(0)
  expect([...service.stored.values()]).toEqual(users.map(() => [170, 170]))
})

test('if requests are lost, an import saves each answer, even if "answers save" saved an identical answer', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  const single = await service.facescan('answers save height=170 --external-user-id user-3 --timezone UTC')
  expect(single.exitCode, single.stderr).toBe(0)
  begin()
  const { exitCode } = await service.import(service.write('a.csv', [170]))
  expect(exitCode).toBe(0)
  expect(service.stored.get('user-3')).toEqual([170, 170])
  expect(service.stored.get('user-4')).toEqual([170])
})

test('if a request is lost and another running import may have saved the same answer, the outcome of the row is unknown', async () => {
  const { begin, isLost } = losing()
  const arrivals = new EventEmitter()
  let isHeld = false
  const service = await prepare({
    isLost,
    awaitTurn(request) {
      arrivals.emit(userOf(request))
      if (userOf(request) !== 'user-10' || isHeld) return undefined
      isHeld = true
      // The first import waits until the second import sends its first request.
      return once(arrivals, 'user-0')
    },
  })
  const slow = service.import(`${service.write('a.csv', [170, 180])} --max-concurrency 1 --batch-size 1`)
  await once(arrivals, 'user-10')
  begin()
  const fast = service.import(service.write('b.csv', [170]))
  const [first, second] = await Promise.all([slow, fast])
  const accepted = first.summary.accepted + second.summary.accepted
  const unknown = first.summary.unknown + second.summary.unknown
  const storedRows = [...service.stored.values()].flat().length
  expect(accepted + unknown).toBe(60)
  expect(unknown).toBeGreaterThan(0)
  expect(storedRows).toBeGreaterThanOrEqual(accepted)
  expect(storedRows).toBeLessThanOrEqual(accepted + unknown)
})

test('if requests are lost, an import does not wait for an earlier import that contains only other users', async () => {
  const { begin, isLost } = losing()
  const service = await prepare({ isLost })
  const others = Array.from({ length: 20 }, (_, n) => `other-${n}`)
  await service.import(service.write('a.csv', [170], others))
  begin()
  const { exitCode, stderr } = await service.import(service.write('b.csv', [170]))
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('waiting')
})
