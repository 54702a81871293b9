import { UsageError } from '../../base/errors.ts'
import type { OptionRow, OptionValues } from '../../command/options.ts'
import { duration, probability, wholeNumber } from '../../command/values.ts'

export const faultOptions = [
  ['--latency <duration>', 'delay of each response', { parse: duration }],
  ['--fail <status:rate>', 'failure rate for a status, such as 503:0.05', { parse: failure, many: true }],
  ['--reset <share>', 'share of requests whose connection is reset', { parse: probability, default: '0' }],
  [
    '--late-apply <share>',
    'share of changes that are applied after a reset',
    { parse: probability, default: '0' },
  ],
  ['--late-by <duration>', 'maximum delay of a late change', { parse: duration, default: '1s' }],
  ['--rate-limit <n/s>', 'maximum requests per second; excess requests get 429', { parse: rate }],
  ['--seed <n>', 'seed for random failures', { parse: wholeNumber, default: '1' }],
] as const satisfies readonly OptionRow[]

function failure(text: string): { status: number; probability: number } {
  const match = /^([45]\d\d):(.+)$/.exec(text)
  if (match) return { status: Number(match[1]), probability: probability(match[2] ?? '') }
  throw new UsageError(`"${text}" is not a valid fault; use STATUS:RATE (example: 503:0.05)`)
}

function rate(text: string): number {
  const match = /^(\d+)(?:\/s)?$/.exec(text)
  if (match && Number(match[1]) > 0) return Number(match[1])
  throw new UsageError(`"${text}" is not a valid rate (example: 100/s)`)
}

export function toFaults(options: OptionValues<typeof faultOptions>) {
  const { latency, fail, reset, lateApply, lateBy, rateLimit, seed } = options
  if (latency === undefined && fail.length === 0 && reset + lateApply === 0 && rateLimit === undefined)
    return undefined
  return { latencyMs: latency ?? 0, fail, reset, lateApply, lateMs: lateBy, rateLimit, seed }
}
