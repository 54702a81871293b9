import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { type RawRequest, reply, reset, serve } from '../helpers/hostile-server.ts'
import { startProgram } from '../helpers/program.ts'
import { confirmed, idOf, listed, userOf } from './send/fixture.ts'

/** Users whose responses show the time of the service's clock. */
const measured = Array.from({ length: 8 }, (_, n) => `user-${n}`)

/** Number of recorded responses in the journal of the import. */
const acknowledged = (folder: string) => {
  const path = join(folder, 'state', 'imports')
  const [id = ''] = readdirSync(path).filter((name) => !name.includes('.'))
  return readFileSync(join(path, id, 'journal.ndjson'), 'utf8').split('"ACK"').length - 1
}

/**
 * A service whose external user IDs are not case-sensitive. It lists each answer with the current time, so that a saved answer is recent
 * even on a busy machine. `lose` selects requests that are lost before they are saved.
 */
async function startService(lose: (user: string) => Promise<boolean>) {
  const saved: { user: string; lookup_key: string; value: number }[] = []
  const script = async (request: RawRequest) => {
    const user = userOf(request).toLowerCase()
    if (request.target.startsWith('/v2/questions/all')) return reply(200, ['height'])
    if (request.target.startsWith('/v2/users')) return reply(200, { user_id: idOf(user) })
    if (request.method === 'GET') return listed(saved.filter((answer) => answer.user === user))
    if (await lose(userOf(request))) return reset()
    saved.push({ user, ...JSON.parse(request.body) })
    return confirmed(request, {}, idOf(user))
  }
  return { saved, url: (await serve(script)).url }
}

test.each([
  ['the first run', 1],
  ['the resumed run', 2],
])(
  'if a killed run saved the same answer under another ID, a row whose request was lost in %s is not accepted',
  async (_, lostIn) => {
    const folder = temporaryFolder()
    const file = join(folder, 'answers.csv')
    const users = [...measured, 'U1', ...(lostIn === 2 ? ['last', 'u1'] : ['u1'])]
    const rows = users.map((user) => `${user},height,170,UTC`)
    writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
    let runs = 0
    let losses = 0
    const { saved, url } = await startService(async (user) => {
      if (runs === 1 && user === users[measured.length + 1]) {
        while (acknowledged(folder) <= measured.length) await new Promise((next) => setTimeout(next, 10))
        child.kill('SIGKILL')
        return true
      }
      return user === 'u1' && losses++ === 0
    })
    const start = () => {
      runs++
      const flags = ['--max-concurrency', '1', '--timeout', '2s', '--confirm', 'development']
      return startProgram(['answers', 'import', file, '--results', folder, ...flags], { folder, url })
    }
    let child = start()
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    child = start()
    await once(child, 'exit')
    const { accepted, unknown, unsent } = JSON.parse(
      readFileSync(join(folder, 'answers.summary.json'), 'utf8'),
    )
    expect({ accepted, unknown, unsent }).toEqual({ accepted: saved.length, unknown: 1, unsent: 0 })
    expect(readFileSync(join(folder, 'answers.unknown.csv'), 'utf8')).toContain('u1,height,170')
  },
)
