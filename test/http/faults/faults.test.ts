import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { FacescanError } from '../../../src/base/errors.ts'
import { createTerminal } from '../../../src/output/colors.ts'
import { printError } from '../../../src/output/print-error.ts'
import { hastyClock } from '../../helpers/clock.ts'
import { hostileServer } from '../../helpers/hostile-server.ts'
import { sample } from '../../helpers/sample.ts'
import { testApi, testKey } from '../client.ts'
import { bodies } from './bodies.ts'
import { connection } from './connection.ts'
import { type Fault, maybeDone, user } from './fault.ts'
import { statuses } from './statuses.ts'

const calls = {
  read: (api: ReturnType<typeof testApi>) => api.users.get({ user: { external_user_id: '4711' } }),
  repeatable: (api: ReturnType<typeof testApi>) =>
    api.users.update({ params: { user_id: user.user_id }, body: { sex: 'F' } }),
  once: (api: ReturnType<typeof testApi>) => api.users.create({ body: { external_user_id: '4711' } }),
}
const classes = ['read', 'repeatable', 'once'] as const

async function meet(fault: Fault, retryClass: (typeof classes)[number]) {
  const server = await hostileServer(fault.script, fault.greeting)
  const clock = hastyClock()
  const warnings: string[] = []
  const api = testApi(server.url, {
    clock,
    timeoutMs: fault.timeoutMs ?? 5_000,
    perCall: [
      async (call, next) => {
        const response = await next(call)
        warnings.push(...(response.content?.problems ?? []))
        return response
      },
    ],
  })
  const [value, failure] = await calls[retryClass](api).then(
    (data) => [data, undefined],
    (error: unknown) => [undefined, error],
  )
  await server.close()
  return {
    server,
    clock,
    warnings,
    value,
    failure,
    seen: failure instanceof FacescanError ? await asSeen(failure) : '',
  }
}

async function asSeen(error: FacescanError): Promise<string> {
  const stderr = new PassThrough()
  const terminal = await createTerminal({ stream: stderr, env: {}, color: 'never', clock: { now: () => 0 } })
  await printError(error, 'table', { stderr, terminal: terminal })
  return String(stderr.read())
}

describe.each(Object.entries({ connection, bodies, statuses }))('%s', (_, rows) => {
  describe.each(rows)('$name', (fault) => {
    test.each(sample(classes, classes.length, rows.indexOf(fault)))(
      'a call of the retry class "%s" sends the expected attempts and returns the expected error',
      async (retryClass) => {
        const met = await meet(fault, retryClass)
        const { sees, exitCode } = {
          ...fault,
          ...(retryClass === 'read' ? undefined : fault.change),
          ...(retryClass === 'once' ? fault.once : undefined),
        }
        expect(met.server.requests).toHaveLength(fault.sent[classes.indexOf(retryClass)] ?? 0)
        if (fault.waits && retryClass === 'read') expect(met.clock.sleeps).toEqual(fault.waits)
        if (sees === 'data' || sees === 'warning') {
          expect(met.failure).toBeUndefined()
          expect(met.warnings.length > 0).toBe(sees === 'warning')
          return
        }
        expect(met.failure).toBeInstanceOf(FacescanError)
        if (fault.sees !== 'data' && fault.sees !== 'warning') expect(met.seen).toMatch(fault.sees)
        expect(met.seen).toMatch(sees)
        const { details, exitCode: actual } = met.failure as FacescanError
        expect(actual).toBe(exitCode)
        const isUnconfirmed = retryClass !== 'read' && String(details.status).startsWith('2')
        if (isUnconfirmed)
          expect([details.applied, met.seen]).toEqual(['maybe', expect.stringContaining(maybeDone)])
        expect(met.seen).not.toMatch(/\n\s+at |undici|UND_ERR|HPE_/)
        expect(met.seen).not.toContain(testKey)
      },
    )
  })
})

test('the table of simulated faults contains at least forty faults in connections and response bodies', () => {
  expect(connection.length + bodies.length).toBeGreaterThanOrEqual(40)
})
