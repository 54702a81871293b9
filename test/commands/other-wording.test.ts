import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { exampleScanId, usableExamples, wordsOf } from '../helpers/examples.ts'
import { createMachine, type Machine, type Ran } from '../helpers/facescan.ts'
import { sample } from '../helpers/sample.ts'

/** Changes the text and the status of an error response, because another implementation of the service can use other texts and statuses. */
async function reword(reply: Response, { conflictStatus, text }: Wording): Promise<Response> {
  if (reply.status < 400) return reply
  const { detail } = (await reply.json()) as { detail: string | { loc: unknown[] }[] }
  const isConflict = typeof detail === 'string' && detail.includes('already exists')
  const words = typeof detail === 'string' ? text : detail.map(({ loc }) => ({ loc, msg: text }))
  return Response.json({ detail: words }, { status: isConflict ? conflictStatus : reply.status })
}

interface Wording {
  conflictStatus: number
  text: string
}

interface Service {
  sandbox: Sandbox
  machine: Machine
}

async function startService(wording?: Wording): Promise<Service> {
  const database = join(mkdtempSync(join(tmpdir(), 'facescan-wording-')), 'service.sqlite')
  const sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => async (request) => {
      const reply = await handle(request)
      return wording === undefined ? reply : reword(reply, wording)
    },
  })
  const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
  return { sandbox, machine: createMachine(env) }
}

/** Examples that call the service, for an unknown user. Imports are excluded, because they have their own test. */
const examples = (await usableExamples())
  .filter(({ name, command }) => command.calls.length > 0 && !name.includes('import'))
  .filter(({ line }) => !/--out|--users/.test(line))
  .map(({ line }) => wordsOf(line, { externalUserId: 'missing' }))

/** Other command lines that fail. Their exit codes and hints must not depend on the service's error text. */
const lines = [
  'users create 4711',
  'users get nobody',
  'users update nobody --sex M',
  'users delete nobody --yes',
  'biomarkers latest nobody',
  'metrics nobody',
  'token nobody',
  'scan-url nobody',
  'dashboard-url nobody',
  'answers save no_such_key=1 --external-user-id 4711 --timezone UTC',
  'summary mental --external-user-id nobody',
  `biomarkers get ${exampleScanId} --external-user-id 4711`,
  `widgets biomarker heart_rate --face-scan-id ${exampleScanId} --external-user-id 4711`,
]

const hintsOf = ({ stderr }: Ran) => stderr.split('\n').filter((line) => line.startsWith('hint:'))

describe.each([
  [400, 'Nope.'],
  [409, 'not found'],
  [422, 'user endpoint missing'],
])(
  'a service that refuses an existing user with status %i and the error message "%s"',
  (conflictStatus, text) => {
    let usual: Service
    let other: Service

    beforeAll(async () => {
      ;[usual, other] = [await startService(), await startService({ conflictStatus, text })]
      for (const { machine } of [usual, other]) await machine.facescan('users create 4711')
    })

    afterAll(async () => {
      await usual.sandbox.close()
      await other.sandbox.close()
    })

    test.each(sample(lines, 3, conflictStatus))(
      '"%s" has the same exit code and hint whatever wording the service uses for its errors',
      async (line) => {
        const expected = await usual.machine.facescan(line)
        const ran = await other.machine.facescan(line)
        expect([ran.exitCode, hintsOf(ran)]).toEqual([expected.exitCode, hintsOf(expected)])
        expect(ran.exitCode).not.toBe(0)
      },
    )

    test.each(sample(examples, 3, conflictStatus))(
      '"%s" for an unknown user has the same hint whatever wording the service uses for its errors',
      async (...line) => {
        const [expected, ran] = [await usual.machine.facescan(line), await other.machine.facescan(line)]
        expect([ran.exitCode, hintsOf(ran)], ran.stderr).toEqual([expected.exitCode, hintsOf(expected)])
      },
    )

    // spec 4.1:9
    test('"answers import" rejects the row of an unknown user whatever wording the service uses for its errors', async () => {
      const file = join(other.machine.home, 'answers.csv')
      const rows = [
        'external_user_id,lookup_key,value,timezone',
        '4711,weight,80,UTC',
        'nobody,weight,80,UTC',
      ]
      writeFileSync(file, rows.join('\n'))
      const { exitCode, stdout } = await other.machine.facescan(`answers import ${file} --json`)
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([10, { accepted: 1, rejected: 1 }])
    })

    test('"users create --if-not-exists" prints the existing user whatever wording the service uses for its errors', async () => {
      const { exitCode, stdout } = await other.machine.facescan('users create 4711 --if-not-exists --json')
      const stored = await other.machine.facescan('users get 4711 --json')
      expect([exitCode, JSON.parse(stdout)]).toEqual([0, JSON.parse(stored.stdout)])
    })
  },
)
