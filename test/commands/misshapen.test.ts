import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hastyClock } from '../helpers/clock.ts'
import { usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine } from '../helpers/facescan.ts'
import { type HostileServer, hostileServer, reply } from '../helpers/hostile-server.ts'
import { sample } from '../helpers/sample.ts'

/** Examples that send a request. Commands that print the response without parsing it are excluded. */
const examples = (await usableExamples())
  .filter(({ name, command }) => command.calls.length > 0 && name !== 'api' && name !== 'ce-label')
  .filter(({ line }) => !line.includes('--dry-run'))
  .map(({ line }) => line)
const lines = [...examples, 'facescan biomarkers list 4711 --chart=heart_rate']

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

test.each(sample(lines, 5))('"%s" does not crash if the response has an unexpected form', async (line) => {
  const machine = createMachine({ FACESCAN_API_KEY: 'k'.repeat(40) })
  writeInputFiles(machine.home)
  const words = wordsOf(line, { input: (name) => join(machine.home, name) })
  for (const body of misshapen) {
    for (const terminal of [false, true]) {
      server = await hostileServer(({ method }) => reply(method === 'POST' ? 201 : 200, body))
      const env = { FACESCAN_BASE_URL: server.url }
      const ran = await machine.facescan([...words, '--yes'], {
        env,
        terminal,
        // With this fake clock, an import checks an unknown outcome without a delay.
        clock: hastyClock(Date.now()),
      })
      const deleted = server.requests.filter(({ method }) => method === 'DELETE')
      await server.close()
      expect([ran.exitCode, ran.stderr], `${body}: ${ran.stderr}`).not.toContain(1)
      expect(ran.stdout + ran.stderr).not.toContain('undefined')
      // A DELETE request without a user ID could delete any user, so each DELETE request must contain a user ID.
      for (const { target } of deleted) expect(target).toMatch(/user_id=[\w-]+$/)
    }
  }
})
