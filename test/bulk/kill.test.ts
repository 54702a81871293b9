import { expect, onTestFinished, test } from 'vitest'
import type { Faults } from '../../src/sandbox/faults.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { runsAll } from '../helpers/sample.ts'
import { buildAltered } from './altered-program.ts'
import { type Outcome, startRehearsal } from './rehearsal.ts'

const kills = Number(process.env['KILLS'] ?? (runsAll ? 5 : 2))
const timeout = 180_000 + kills * 20_000
const seed = Number(process.env['SEED'] ?? 7)
const faults: Faults = {
  latencyMs: 10,
  fail: [{ status: 503, probability: 0.02 }],
  reset: 0.01,
  lateApply: 0.05,
  lateMs: 500,
  seed,
}
/** Request timeout in ms. It must be longer than the delay of a late save, even on a busy machine. */
const timeoutMs = 5_000

async function rehearse(wanted: number, program?: string): Promise<Outcome[]> {
  const rehearsal = await startRehearsal({
    folder: temporaryFolder(),
    seed,
    faults,
    users: 40,
    timeoutMs,
    program,
  })
  onTestFinished(() => rehearsal.close())
  const outcomes: Outcome[] = []
  // An import that ends before it is killed does not count. So up to five rounds more than `wanted` are allowed.
  for (let left = wanted, number = 0; left > 0 && number < 5 + wanted; number++) {
    const outcome = await rehearsal.round(number, left)
    outcomes.push(outcome)
    left -= outcome.kills
  }
  return outcomes
}

function sum(outcomes: readonly Outcome[], key: 'kills' | 'lost' | 'duplicated' | 'disordered'): number {
  return outcomes.reduce((total, outcome) => total + outcome[key], 0)
}

test(`if imports are killed ${kills} times at random moments, no row is lost, saved twice, or out of order`, {
  timeout,
}, async () => {
  const outcomes = await rehearse(kills)
  expect(sum(outcomes, 'kills')).toBeGreaterThan(kills / 2)
  expect(['lost', 'duplicated', 'disordered'].map((key) => sum(outcomes, key as 'lost'))).toEqual([0, 0, 0])
  for (const { summary } of outcomes) {
    const { rows, accepted, rejected, unknown, unsent, status } = summary
    expect(status).toBe('finished')
    expect(unsent).toBe(0)
    expect(accepted + rejected + unknown).toBe(rows)
  }
})

test.runIf(runsAll)(
  'if a killed import is resumed and does not wait for delayed requests, rows are saved twice',
  { timeout },
  async () => {
    const program = await buildAltered({
      'send/settle-time.ts': 'export class SettleTime { ms = 0; add() {} }',
    })
    const outcomes = await rehearse(4, program)
    expect(sum(outcomes, 'duplicated')).toBeGreaterThan(0)
  },
)
