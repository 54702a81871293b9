import { expect, test } from 'vitest'
import { createInterrupts, limitTime } from '../../src/context/interrupts.ts'
import { fakeClock } from '../helpers/clock.ts'

test.each([
  ['SIGINT', 'interrupted', 130],
  ['SIGTERM', 'terminated', 143],
  ['SIGHUP', 'terminated', 143],
] as const)('%s stops a command immediately by default', (name, code, exitCode) => {
  const interrupts = createInterrupts()
  interrupts.receive(name)
  expect(interrupts.signal.reason).toMatchObject({ code, exitCode })
})

test('the first signal lets a command finish its active requests, and the second signal stops the command', () => {
  const interrupts = createInterrupts()
  const drain = interrupts.drainFirst()
  interrupts.receive('SIGINT')
  expect([drain.aborted, interrupts.signal.aborted]).toEqual([true, false])
  interrupts.receive('SIGTERM')
  expect(interrupts.signal.reason).toMatchObject({ code: 'terminated' })
  expect(drain.reason).toMatchObject({ code: 'interrupted' })
})

test('the default signal handlers are active only while a blocking function runs', async () => {
  const told: boolean[] = []
  const { withDefaultSignals } = createInterrupts((isOn) => told.push(isOn))
  expect(await withDefaultSignals(async () => told.length)).toBe(1)
  await expect(withDefaultSignals(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(told).toEqual([false, true, false, true])
})

test('if two parts of a command wait for active requests, both parts use the same abort signal', () => {
  const interrupts = createInterrupts()
  expect(interrupts.drainFirst()).toBe(interrupts.drainFirst())
})

test('--max-time stops a command with an error and a hint', async () => {
  const [interrupts, clock] = [createInterrupts(), fakeClock()]
  limitTime(5_000, clock, interrupts)
  await clock.advance(4_999)
  expect(interrupts.signal.aborted).toBe(false)
  await clock.advance(1)
  expect(interrupts.signal.reason).toMatchObject({
    exitCode: 9,
    message: 'the command did not finish within 5 s',
  })
  expect(interrupts.signal.reason.details).toMatchObject({
    retryable: true,
    hint: expect.stringContaining('--max-time'),
  })
})

test('a command that ends before --max-time is not stopped later', async () => {
  const [interrupts, clock] = [createInterrupts(), fakeClock()]
  await limitTime(5_000, clock, interrupts).cancel()
  await clock.advance(10_000)
  expect(interrupts.signal.aborted).toBe(false)
})
