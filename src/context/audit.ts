import type { Context } from '../command/context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { WireReply } from '../http/wire.ts'
import type { HistoryEntry } from '../profiles/history.ts'

/** The audit log as one command uses it: a line for each attempt at a change. */
export interface Audit {
  /** Throws unless the log can be written. */
  prepare(): Promise<void>
  /** Resolves when the line is in the log, or a warning says why it is not: the change is made by now, and must not look failed. */
  record(endpoint: Endpoint, reply: WireReply | undefined): Promise<void>
  /** Resolves when everything is in the log. */
  close(): Promise<void>
}

type Line = Omit<HistoryEntry, 'time' | 'status' | 'request_id'>

/** An import makes thousands of lines a second, and has a journal for what must outlive a crash. */
const gatherMs = 500

/** RFC 3339. Of the lines of an import many are of one millisecond, and to write a time takes longer than all else of a line. */
function createTimeWriter(): (now: number) => string {
  let written = { at: Number.NaN, time: '' }
  return (now) => {
    if (now !== written.at) written = { at: now, time: new Date(now).toISOString() }
    return written.time
  }
}

/** Undefined for the built-in sandbox: what is changed there is nobody's data. */
export async function openAudit(ctx: Omit<Context, 'approve'>, isBulk: boolean): Promise<Audit | undefined> {
  const { environment, profile, credential, unlockReason } = await ctx.session()
  if (environment === 'sandbox') return undefined
  const { openHistory } = await import('../profiles/history.ts')
  const { findEndpoint } = await import('../contract/find-endpoint.ts')
  const { clock } = ctx
  const closing = new AbortController()
  const gather = () => clock.sleep(gatherMs, closing.signal).catch(() => undefined)
  const history = openHistory(ctx.paths, isBulk ? gather : undefined)
  const lines = new WeakMap<Endpoint, Line>()
  const timeAt = createTimeWriter()
  let writing: Promise<void> | undefined
  let logged: Promise<void> = Promise.resolve()
  let hasWarned = false

  const warnOnce = ({ message }: Error): void => {
    if (!hasWarned) ctx.warn(`not in the audit log: ${message}`)
    hasWarned = true
  }
  const lineOf = (endpoint: Endpoint): Line => {
    const known = lines.get(endpoint)
    if (known) return known
    const { method } = endpoint
    const line = {
      profile,
      fingerprint: credential?.fingerprint ?? null,
      command: ctx.command,
      method,
      // As the contract spells it: that of a raw call may hold an id.
      path: findEndpoint(method, endpoint.path)?.path ?? '(path unknown to the contract)',
      reason: unlockReason ?? null,
    }
    lines.set(endpoint, line)
    return line
  }
  return {
    prepare: () => history.prepare(),
    record(endpoint, reply) {
      const group = history.record({
        time: timeAt(clock.now()),
        ...lineOf(endpoint),
        status: reply?.status ?? null,
        request_id: reply?.headers['x-request-id'] ?? null,
      })
      if (group !== writing) logged = group.catch(warnOnce)
      writing = group
      return logged
    },
    async close() {
      closing.abort()
      await logged
    },
  }
}
