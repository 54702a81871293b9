import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../helpers/folder.ts'
import { serve, wait } from '../helpers/hostile-server.ts'
import { startProgram } from '../helpers/program.ts'
import { confirmed, obedient } from './send/fixture.ts'

export interface Disturbance {
  /** The import is disturbed when this many POST requests have arrived. */
  nth: number
  disturb(child: ChildProcess, folder: string): void
  /** A script that Node loads before the program. */
  preload?: string
  /** Delay in ms of each response, once `disturb` was called (default 20). */
  replyMs?: number
}

/** Starts the built program to import one answer for each of 200 users, and disturbs this import. */
export async function importDisturbed({ nth, disturb, preload, replyMs = 20 }: Disturbance) {
  const folder = temporaryFolder()
  const file = join(folder, 'answers.csv')
  const lines = Array.from({ length: 200 }, (_, n) => `user-${n},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${lines.join('\n')}\n`)
  let posts = 0
  const server = await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      if (++posts === nth) disturb(child, folder)
      save()
      return [wait(posts < nth ? 20 : replyMs), confirmed(request)]
    }),
  )
  if (preload) writeFileSync(join(folder, 'preload.cjs'), preload)
  const words = ['answers', 'import', file, '--results', folder, '--confirm', 'development']
  const env = preload && { NODE_OPTIONS: `--require ${join(folder, 'preload.cjs')}` }
  const child = startProgram(words, { folder, url: server.url, ...(env && { env }) })
  const [code] = await once(child, 'exit')
  return { code, posts, summary: JSON.parse(readFileSync(join(folder, 'answers.summary.json'), 'utf8')) }
}
