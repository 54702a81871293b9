import { once } from 'node:events'
import { UsageError } from '../../base/errors.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { perSecond } from '../../framework/many/options.ts'
import { flag, type OptionValues, toggle } from '../../framework/options.ts'
import { duration, oneOf, port, probability, wholeNumber } from '../../framework/values.ts'
import type { RecordView } from '../../output/view.ts'
import { databaseOption, onSameDatabase } from './options.ts'

interface Serving {
  url: string
  database: string
  profiles: readonly string[]
}

const view: RecordView<Serving> = {
  columns: [
    { key: 'url', title: 'Base URL', whole: true },
    { key: 'database', title: 'Database', whole: true },
    { key: 'profiles', title: 'Keys', cell: ({ profiles }) => profiles.join(', ') },
  ],
}

const revisions = ['current', 'earlier', 'both'] as const

const faultOptions = {
  latency: flag('--latency <duration>', 'delay added to responses', duration),
  fail: flag('--fail <status:rate>', 'failure rate for a status, such as 503:0.05', failure, {
    many: true,
  }),
  reset: flag('--reset <share>', 'fraction of requests with a reset connection', probability, {
    default: '0',
  }),
  lateApply: flag('--late-apply <share>', 'fraction of failed changes applied later', probability, {
    default: '0',
  }),
  lateBy: flag('--late-by <duration>', 'maximum delay of a late change', duration, {
    default: '1s',
  }),
  rateLimit: flag('--rate-limit <n/s>', 'maximum requests per second; excess requests get 429', perSecond),
  seed: flag('--seed <n>', 'seed for random failures', wholeNumber, { default: '1' }),
}

export default defineCommand({
  view,
  output: async () => {
    const { array, strictObject, string } = await import('zod/mini')
    return strictObject({ url: string(), database: string(), profiles: array(string()) })
  },
  localEffect: 'change',
  options: {
    port: flag('--port <n>', 'port to listen on', port, { default: '4010', remark: '0: any free port' }),
    host: flag('--host <address>', 'address to listen on', String, { default: '127.0.0.1' }),
    exposeToNetwork: toggle('--expose-to-network', 'allow connections from other machines'),
    db: databaseOption,
    revision: flag('--revision <name>', 'API revision', oneOf(revisions), { default: 'both' }),
    ...faultOptions,
  },
  examples: ['facescan sandbox serve --port 4010 --latency 50ms --fail 503:0.05'],
  check({ host, exposeToNetwork, ...options }) {
    if (isLoopbackAddress(host)) return []
    if (!exposeToNetwork) {
      return [`--host: other machines can reach ${host}; add --expose-to-network, or remove --host`]
    }
    return toFaults(options) ? ['--expose-to-network cannot be used with simulated failures'] : []
  },
  async run(ctx, { port, host, db, revision, ...options }) {
    const [{ builtInDatabase }, { startSandbox }, { withFaults }] = await Promise.all([
      import('../../sandbox/index.ts'),
      import('../../sandbox/server.ts'),
      import('../../sandbox/faults.ts'),
    ])
    const database = db ?? builtInDatabase(ctx.paths)
    const faults = toFaults(options)
    const sandbox = await startSandbox({
      database,
      isBuiltIn: db === undefined,
      port,
      host,
      revision,
      strict: ctx.flags.strict,
      clock: ctx.clock,
      announce: true,
      log: (line) => ctx.note(line),
      ...(faults && { faults: (handle) => withFaults(handle, faults, ctx.clock) }),
    })
    try {
      const profiles = Object.values(sandbox.keys).map(({ alias }) => alias)
      await ctx.print({ url: sandbox.url, database, profiles }, view)
      if (faults) ctx.warn('this sandbox simulates failures')
      if (!isLoopbackAddress(host))
        ctx.warn('other machines can connect to this sandbox over unencrypted HTTP')
      ctx.note(`press Ctrl-C to stop; print the key with: ${onSameDatabase('sandbox key', db)}`)
      if (!ctx.signal.aborted) await once(ctx.signal, 'abort')
      throw ctx.signal.reason
    } finally {
      await sandbox.close()
    }
  },
})

/** Whether the host is a loopback address. A host name could resolve to any address, so it is refused. */
function isLoopbackAddress(host: string): boolean {
  return host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function failure(text: string): { status: number; probability: number } {
  const match = /^([45]\d\d):(.+)$/.exec(text)
  if (match) return { status: Number(match[1]), probability: probability(match[2] ?? '') }
  throw new UsageError(`"${text}" is not a valid failure rate; use STATUS:RATE (example: 503:0.05)`)
}

function toFaults(options: OptionValues<typeof faultOptions>) {
  const { latency, fail, reset, lateApply, lateBy, rateLimit, seed } = options
  if (latency === undefined && fail.length === 0 && reset + lateApply === 0 && rateLimit === undefined)
    return undefined
  return { latencyMs: latency ?? 0, fail, reset, lateApply, lateMs: lateBy, rateLimit, seed }
}
