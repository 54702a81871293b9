import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runsAll } from '../helpers/sample.ts'
import { buildAltered } from './altered-program.ts'
import { prepareImport, startSlowService } from './killed-import.ts'

const slowestMs = 200
/** Timeout of a request in ms. Longer than the delay of a late save, plus a margin for a busy machine. */
const timeoutMs = 5_000

/**
 * Kills an import while the service holds its last requests. The service saves them during the next run, at the latest after
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
  'a resumed import loses and repeats no rows after late requests of a killed run',
  async () => {
    expect(await importSuspended(timeoutMs - 2_000)).toEqual({ code: 0, lost: 0, repeated: 0, disordered: 0 })
  },
)

test.runIf(runsAll && process.platform !== 'win32')(
  'a resumed import repeats rows if it does not wait for requests that are saved late',
  async () => {
    const program = await buildAltered({ 'send/settle-time.ts': 'export const settleTimeMs = () => 0' })
    // The service holds the answers for a long time, because the next run may start slowly and must not find them saved.
    const { repeated } = await importSuspended(120_000, program)
    expect(repeated).toBeGreaterThan(0)
  },
)
