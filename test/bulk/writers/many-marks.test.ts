import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folder.ts'
import { serve } from '../../helpers/hostile-server.ts'
import { confirmed, obedient } from '../send/fixture.ts'

test('an import that can open 60 files finds another active command among 600 records', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'answers.csv')
  writeFileSync(file, 'external_user_id,lookup_key,value,timezone\nuser-1,height,1,UTC\n')
  const server = await serve(
    obedient((request, save) => {
      if (request.method === 'GET') return undefined
      save()
      return confirmed(request)
    }),
  )
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    FACESCAN_STATE_DIR: join(folder, 'state'),
    FACESCAN_BASE_URL: server.url,
    FACESCAN_API_KEY: 'k'.repeat(40),
  }
  const program = `${process.execPath} ${resolve('bin/facescan.js')}`
  const run = (line: string) => promisify(execFile)('sh', ['-c', `ulimit -n 60; ${program} ${line}`], { env })
  const importing = `answers import ${file} --again --confirm development`
  await run(importing)
  const marks = join(folder, 'state', 'writers', readdirSync(join(folder, 'state', 'writers'))[0] ?? '')
  const own = join(marks, readdirSync(marks)[0] ?? '')
  const mark = JSON.parse(readFileSync(own, 'utf8'))
  const old = JSON.stringify({ ...mark, activeUntil: Date.now() - 600_000 })
  for (let n = 0; n < 600; n++) writeFileSync(join(marks, `${n}.json`), old)
  const last = readdirSync(marks).at(-1) ?? ''
  writeFileSync(own, old)
  writeFileSync(
    join(marks, last),
    JSON.stringify({ ...mark, id: 'process 1', activeUntil: Date.now() + 600_000 }),
  )
  const waiting = spawn('sh', ['-c', `ulimit -n 60; exec ${program} ${importing}`], { env })
  let messages = ''
  for await (const text of waiting.stderr.setEncoding('utf8')) {
    messages += text
    if (messages.includes('because another command has just saved answers')) waiting.kill()
  }
  expect(messages).toContain('because another command has just saved answers')
})
