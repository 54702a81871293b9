import { UsageError } from '../../base/errors.ts'
import type { OptionRow, OptionValues } from '../../command/options.ts'
import { duration, probability, wholeNumber } from '../../command/values.ts'

export const faultOptions = [
  ['--latency <duration>', 'wait before each answer', { parse: duration }],
  ['--fail <status:share>', 'answer this status instead, such as 503:0.05', { parse: failure, many: true }],
  ['--reset <share>', 'reset the connection', { parse: probability, default: 0 }],
  ['--late-apply <share>', 'reset, then apply the change later', { parse: probability, default: 0 }],
  ['--late-by <duration>', 'longest delay of a late change', { parse: duration, default: 1_000 }],
  ['--rate-limit <n/s>', 'answer 429 beyond n requests a second', { parse: rate }],
  ['--seed <n>', 'the same seed gives the same faults', { parse: wholeNumber, default: 1 }],
] as const satisfies readonly OptionRow[]

function failure(text: string): { status: number; probability: number } {
  const match = /^([45]\d\d):(.+)$/.exec(text)
  if (match) return { status: Number(match[1]), probability: probability(match[2] ?? '') }
  throw new UsageError(`"${text}" is not a status and its share (write 503:0.05)`)
}

function rate(text: string): number {
  const match = /^(\d+)(?:\/s)?$/.exec(text)
  if (match && Number(match[1]) > 0) return Number(match[1])
  throw new UsageError(`"${text}" is not a rate (write 100/s)`)
}

/** What was asked for, or undefined where the sandbox is to behave. */
export function toFaults(options: OptionValues<typeof faultOptions>) {
  const { latency, fail, reset, lateApply, lateBy, rateLimit, seed } = options
  if (latency === undefined && fail.length === 0 && reset + lateApply === 0 && rateLimit === undefined)
    return undefined
  return { latencyMs: latency ?? 0, fail, reset, lateApply, lateMs: lateBy, rateLimit, seed }
}
