import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'
import { type HostileServer, hostileServer, reply } from '../helpers/hostile-server.ts'

const user = '--external-user-id 4711'
const id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

const lines = [
  `users get ${user}`,
  `users create ${user}`,
  `users update ${user} --sex M --yes`,
  `users delete ${user} --yes`,
  `token ${user}`,
  `scan-url ${user}`,
  `dashboard-url ${user}`,
  `biomarkers list ${user}`,
  `biomarkers list ${user} --chart=heart_rate`,
  `biomarkers latest ${user}`,
  `biomarkers get ${id} ${user}`,
  `biomarkers compare ${user} --before 2026-03-01 --after 2026-03-01`,
  `metrics ${user}`,
  `wellbeing ${user}`,
  `summary mental ${user}`,
  `recommendations ${user}`,
  'answers keys',
  `answers list ${user}`,
  `answers list ${user} --all`,
  `answers save ${user} height 170 --timezone UTC`,
  'answers import FILE --yes --on-ambiguous hold',
  `widgets biomarker heart_rate --face-scan-id ${id} ${user}`,
  `widgets metric sleep_quality ${user}`,
  `widgets graph heart_rate ${user}`,
]

const misshapen = [
  'null',
  '',
  '[]',
  '[{}]',
  '[null]',
  '[1,2]',
  '"text"',
  '{}',
  '5',
  'true',
  '{"user_id":7,"token":5,"items":[null],"pagination":{},"metrics":{"sleep_quality":5},"recommendations":[null],"data":{}}',
  '{"items":[],"pagination":{},"metrics":{},"recommendations":[],"data":[null],"token":"t","mental":"high","timestamp":7}',
]

let server: HostileServer | undefined
afterEach(() => server?.close())

test.each(lines)('"%s" shows a reply of any other shape, or says why it cannot', async (line) => {
  const machine = createMachine({ FACESCAN_API_KEY: 'k'.repeat(40) })
  const file = join(machine.home, 'answers.csv')
  writeFileSync(file, 'external_user_id,lookup_key,value,timezone\n4711,height,170,UTC\n')
  for (const body of misshapen) {
    for (const terminal of [false, true]) {
      server = await hostileServer(({ method }) => reply(method === 'POST' ? 201 : 200, body))
      const ran = await machine.facescan(line.replace('FILE', file), {
        env: { FACESCAN_BASE_URL: server.url },
        terminal,
      })
      const deleted = server.requests.filter(({ method }) => method === 'DELETE')
      await server.close()
      expect([ran.exitCode, ran.stderr], `${body}: ${ran.stderr}`).not.toContain(1)
      expect(ran.stdout + ran.stderr).not.toContain('undefined')
      // Without the user's id, a deletion would mean nobody knows what.
      for (const { target } of deleted) expect(target).toMatch(/user_id=[\w-]+$/)
    }
  }
})
