import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runsAll } from '../helpers/sample.ts'
import { buildAltered } from './altered-program.ts'
import { prepareImport, startSlowService } from './killed-import.ts'

const slowestMs = 200
/** Request timeout in ms. It must be longer than the delay of a late save, even on a busy machine. */
const timeoutMs = 5_000

/**
 * Kills an import before the service has saved its last requests. The service saves them during the next run, at the latest after
 * `longestHeldMs`.
 */
async function importSuspended(longestHeldMs: number, program?: string) {
  const pauses = [20, 45, 70]
  const service = await startSlowService({ slowestMs, pauses, longestHeldMs })
  const killed = prepareImport({ service, timeoutMs, program })
  let child = killed.start()
  for (const _ of pauses) {
    await service.killDuringPause(child)
    child = killed.start()
  }
  const [code] = await once(child, 'exit')
  return { code, ...killed.compare(await service.end()) }
}

test.skipIf(process.platform === 'win32')(
  'if requests of a killed run are saved late, the resumed import loses no row and saves no row twice',
  async () => {
    expect(await importSuspended(timeoutMs - 2_000)).toEqual({ code: 0, lost: 0, repeated: 0, disordered: 0 })
  },
)

test.runIf(runsAll && process.platform !== 'win32')(
  'a resumed import saves rows twice if it does not wait for requests that are saved late',
  async () => {
    const program = await buildAltered({
      'send/settle-time.ts': 'export class SettleTime { ms = 0; add() {} }',
    })
    // The service saves the answers so late that the next run finds none, even if it starts late.
    const { repeated } = await importSuspended(120_000, program)
    expect(repeated).toBeGreaterThan(0)
  },
)
