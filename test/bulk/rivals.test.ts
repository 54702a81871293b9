import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { type RawRequest, reply, reset, serve } from '../helpers/hostile-server.ts'
import { startProgram } from '../helpers/program.ts'
import { buildAltered } from './altered-program.ts'
import { userOf } from './send/fixture.ts'

const users = Array.from({ length: 40 }, (_, n) => `user-${n}`)

/** Imports 170 and 180 for each user, then 170 again while some first requests are lost. Returns the last values. */
async function importTwice(program?: string) {
  const folder = temporaryFolder()
  const stored = new Map<string, { question_lookup_key: string; answer: number; local_timestamp: string }[]>()
  const lost = new Set<string>()
  let isSecond = false
  const server = await serve((request: RawRequest) => {
    if (request.target.startsWith('/v2/questions/all')) return reply(200, ['height'])
    const user = userOf(request)
    const own = stored.get(user) ?? []
    const pagination = { page: 1, page_size: 50, total_pages: 1, total_items: own.length, next_page: null }
    if (request.method === 'GET') return reply(200, { items: own, pagination })
    if (isSecond && !lost.has(user) && users.indexOf(user) % 3 === 0) {
      lost.add(user)
      return reset()
    }
    const local_timestamp = new Date().toISOString()
    for (const { value } of [JSON.parse(request.body)].flat())
      own.push({ question_lookup_key: 'height', answer: value, local_timestamp })
    stored.set(user, own)
    return reply(201, [])
  })
  const run = async (name: string, values: readonly number[]) => {
    const path = join(folder, name)
    const rows = users.flatMap((user) => values.map((value) => `${user},height,${value},UTC`))
    writeFileSync(path, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
    const words = ['answers', 'import', path, '--timeout', '500ms', '--confirm', 'development']
    const [code] = await once(startProgram(words, { folder, url: server.url, program }), 'exit')
    return code
  }
  await run('a.csv', [170, 180])
  isSecond = true
  const code = await run('b.csv', [170])
  return { code, wrong: users.filter((user) => stored.get(user)?.at(-1)?.answer !== 170).length }
}

test('an import right after an import of the same users loses nothing', {
  timeout: 60_000,
}, async () => {
  expect(await importTwice()).toEqual({ code: 0, wrong: 0 })
})

test('without the rule about other commands, the same imports lose answers', {
  timeout: 60_000,
  // On a busy machine, the second import may start too late to confuse the answers.
  retry: 2,
}, async () => {
  const program = await buildAltered({
    'writers/register.ts': `export class WriterRegister {
      async enter() {}
      async leave() {}
      async quietAfterMs() { return 0 }
      async findRival() {}
    }`,
  })
  const { code, wrong } = await importTwice(program)
  expect(code).toBe(0)
  expect(wrong).toBeGreaterThan(0)
})
