import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine } from '../helpers/facescan.ts'
import { sample } from '../helpers/sample.ts'

/** Text that forges a message, clears the screen, reverses the line, or is invisible. */
const hostile = 'A\nerror: forged\r\x1b[2J\u009b2J\u0007\u202e\u2066\u200b\u00ad\ufeff\u2800x\ufe0f'
const invisible =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\ufeff]|\ufe0f/
/** Control sequences that the program itself prints: styles, and cursor movements for a progress line. */
const ownSequences = /\x1b\[\d*(;\d+)*m|\r|\x1b\[\??\d*[KhlAG]/g

/** Appends the hostile text to every text in a response, and adds a field with a hostile name to every object. */
function poison(value: unknown): unknown {
  if (typeof value === 'string') return value + hostile
  if (Array.isArray(value)) return value.map(poison)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, poison(inner)])
  return { ...Object.fromEntries(fields), [`new${hostile}`]: hostile }
}

type Change = (reply: Response) => Response | Promise<Response>

const changes: Record<string, Change> = {
  'hostile text in every response': async (reply) => {
    if (!reply.headers.get('content-type')?.startsWith('application/json')) return reply
    return Response.json(poison(await reply.json()), { status: reply.status, headers: requestId })
  },
  'a hostile detail': () => Response.json({ detail: hostile }, { status: 400, headers: requestId }),
  'a hostile 404': () => Response.json({ detail: hostile }, { status: 404, headers: requestId }),
  'a hostile 503': () => Response.json({ detail: hostile }, { status: 503, headers: requestId }),
  'hostile 422 items': () => {
    const item = { loc: ['body', hostile], msg: hostile, type: hostile }
    return Response.json({ detail: [item, item] }, { status: 422, headers: requestId })
  },
  'a hostile title': () => new Response(`<title>${hostile}</title>`, { status: 500, headers: requestId }),
}

const requestId = { 'x-request-id': 'id\u009b2J\u00ad' }

/**
 * Command lines that call the service. Lines that write their output to a file are excluded. Lines that print CSV are excluded, because CSV
 * keeps every character.
 */
const lines = (await usableExamples())
  .filter(({ command, line }) => command.calls.length > 0 && !/--out|-o csv/.test(line))
  .map(({ line }) => line)

describe.each(Object.entries(changes).map(([name, change], index) => [name, change, index] as const))(
  'with %s from the service',
  (_, change, index) => {
    let sandbox: Sandbox

    beforeAll(async () => {
      const database = join(mkdtempSync(join(tmpdir(), 'facescan-hostile-')), 'service.sqlite')
      sandbox = await startSandbox({
        strict: true,
        database,
        faults: (handle) => async (request) => change(await handle(request)),
      })
      const honest = await startSandbox({ strict: true, database })
      const { facescan } = createMachine({
        FACESCAN_BASE_URL: honest.url,
        FACESCAN_API_KEY: sandbox.keys.development.key,
      })
      await facescan('users create 4711')
      await facescan('answers save weight=70 --external-user-id 4711 --timezone UTC')
      await honest.close()
    })

    afterAll(() => sandbox.close())

    test.each(sample(lines, 6, index))(
      'text from the service cannot imitate a message of "%s"',
      async (line) => {
        for (const terminal of [false, true]) {
          const machine = createMachine({
            FACESCAN_BASE_URL: sandbox.url,
            FACESCAN_API_KEY: sandbox.keys.development.key,
          })
          writeInputFiles(machine.home)
          const words = wordsOf(line, { input: (name) => join(machine.home, name) })
          const { stdout, stderr } = await machine.facescan(
            [...words, '--yes', '--retries', '0', '--debug'],
            {
              terminal,
              // Messages do not wrap at this width. If a message wrapped, one of its lines could start with "error:", and the test would
              // fail.
              columns: 400,
            },
          )
          const shown = terminal ? (stdout + stderr).replaceAll(ownSequences, '') : stderr
          if (terminal) expect(stdout).not.toMatch(/^error: forged/m)
          expect(stderr).not.toMatch(/^\W*error: forged/m)
          expect(shown).not.toMatch(invisible)
        }
      },
    )
  },
)

test.each([
  'overview',
  'users get',
  'users update --sex F',
  'users update --sex F --dry-run',
  'users delete --yes',
  'users delete --dry-run',
  'answers save weight=70',
  'scan-url',
])('a line break in a user ID does not start another message of "facescan %s"', async (line) => {
  const machine = createMachine()
  const id = '4711\nerror: forged'
  const create = ['api', 'POST', '/v2/users', '--body', '-']
  const body = { stdin: JSON.stringify({ external_user_id: id }) }
  for (const isKnown of [false, true]) {
    if (isKnown) await machine.facescan(create, body)
    const { stderr } = await machine.facescan([...line.split(' '), '--external-user-id', id])
    expect(stderr).not.toMatch(/^error: forged/m)
  }
})

test.each([
  [['api', 'GET', '/v2/FORGED']],
  [['users', 'create', '1', '--language', 'FORGED']],
  [['users', 'get', '1', '--FORGED']],
  [['users', 'get', '1', '-o', 'FORGED']],
  [['users', 'get', '--users', 'FORGED']],
  [['answers', 'save', '1', 'weight=FORGED']],
  [['imports', 'resume', 'FORGED']],
  [['history', 'list', '--since', 'FORGED']],
  [['doctor', '--bundle', '/missing/FORGED']],
  [['ce-label', '--out', '/missing/FORGED']],
  [['sandbox', 'status', '--db', '/missing/FORGED']],
])('a line break in an argument does not start another message: facescan %j', async (words) => {
  const forged = words.map((word) => word.replace('FORGED', 'x\n✓ Created user 4711\nerror: forged'))
  const { stderr } = await createMachine().facescan(forged)
  expect(stderr).toContain('forged')
  expect(stderr).not.toMatch(/^(✓ Created|error: forged)/m)
})
