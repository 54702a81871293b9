import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { reply, reset, serve } from '../helpers/hostile-server.ts'
import { countUses, writeKillScript } from '../helpers/kill-at-use.ts'
import { startProgram } from '../helpers/program.ts'
import { sample } from '../helpers/sample.ts'
import { obedient, userOf } from './send/fixture.ts'

const resultPaths = /(rejects|unknown|summary)[^/]*$|results\//

/** Prepares an import of a file with one accepted, one invalid, one rejected, and one unknown row. */
async function prepare() {
  const service = await serve(
    obedient((request) => {
      if (userOf(request) === 'rejected') return reply(404, { detail: 'user not found' })
      if (userOf(request) === 'lost') return request.method === 'POST' ? reset() : reply(405)
      return undefined
    }),
  )
  return {
    folder() {
      const folder = temporaryFolder()
      const rows = ['accepted,height,1', 'accepted,height,x', 'rejected,height,2', 'lost,height,3']
      writeFileSync(join(folder, 'answers.csv'), `external_user_id,lookup_key,value\n${rows.join('\n')}\n`)
      return folder
    },
    start(folder: string, killAt: string): ChildProcess {
      const words = ['answers', 'import', join(folder, 'answers.csv'), '--skip-invalid', '--timezone', 'UTC']
      const env = { ...writeKillScript(folder, resultPaths), KILL_AT: killAt }
      const flags = ['--timeout', '2s', '--confirm', 'development', '--results', folder]
      return startProgram([...words, ...flags], { folder, url: service.url, env })
    },
  }
}

/** The content of the result files. Omits the parts that differ between runs. */
function resultsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /rejects|unknown|summary|partial/.test(name))
  const contentOf = (name: string) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const { accepted, rejected, unknown, status, rejects_file } = name.endsWith('.json')
      ? JSON.parse(text)
      : {}
    if (status === undefined) return text.replace(/; sent at .*/g, '')
    return JSON.stringify({ accepted, rejected, unknown, status, rejects_file })
  }
  return Object.fromEntries(names.toSorted().map((name) => [name, contentOf(name)]))
}

test('if an import is killed while it writes a result file, the resumed import leaves one complete set of files', async () => {
  const { folder, start } = await prepare()
  const complete = folder()
  await once(start(complete, ''), 'exit')
  const uses = countUses(complete)
  const expected = resultsIn(complete)
  expect(Object.keys(expected)).toEqual([
    'answers.rejects.csv',
    'answers.summary.json',
    'answers.unknown.csv',
  ])
  expect(uses).toBeGreaterThan(15)
  const killAndRunAgain = async (killAt: number) => {
    const killed = folder()
    const [, signal] = await once(start(killed, String(killAt)), 'exit')
    expect(signal).toBe('SIGKILL')
    await once(start(killed, ''), 'exit')
    const inPlace = Object.entries(expected).map(([name, text]) => [name, text.replaceAll(complete, killed)])
    expect(resultsIn(killed), `killed at use ${killAt}`).toEqual(Object.fromEntries(inPlace))
  }
  const moments = sample(
    Array.from({ length: uses }, (_, index) => index + 1),
    5,
  )
  while (moments.length > 0) await Promise.all(moments.splice(0, 4).map(killAndRunAgain))
})
