import { ServiceError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import type { Context } from '../command/context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Api, createApi } from '../http/client.ts'
import { toCurl } from '../http/curl.ts'
import { createDispatcher } from '../http/dispatcher.ts'
import { DryRunStop } from '../http/dry-run.ts'
import type { Gate } from '../http/gate.ts'
import { findProxy } from '../http/proxy.ts'
import type { Observer, WireRequest } from '../http/wire.ts'
import { formatMessage } from '../output/message.ts'
import { escapeControls } from '../output/text.ts'
import type { Session } from '../profiles/session.ts'
import type { Approval } from './approval.ts'
import type { Composition } from './composition.ts'

interface Parts {
  gate?: Gate | undefined
  ctx: Context
  approval: Approval
  observer: Observer
  /** Maximum number of open connections (default 1). */
  connections?: number
  /** Called in reverse order when the command is over. */
  closers: (() => Promise<void>)[]
}

/** Longest wait between two attempts that is accepted, in ms; beyond it the command gives up and says when to come back. */
const maxWaitMs = 60_000

/** Node applies the variable to every connection of the process. */
function warnAboutCertificates({ outside }: Composition, ctx: Context): void {
  if (outside.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return
  ctx.warn(
    'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anyone on the network path can read the key',
  )
}

/** The client of one session, and whatever has to be opened for it. */
export async function openApi(composition: Composition, session: Session, parts: Parts): Promise<Api> {
  const { ctx, approval, observer, closers, gate } = parts
  announce(composition, session)
  warnAboutCertificates(composition, ctx)
  const { baseUrl, credential } = await reach(session, parts)
  const { flags, outside } = composition
  const proxy = findProxy(baseUrl, outside.env)
  const dispatcher = createDispatcher({
    origin: baseUrl.origin,
    env: outside.env,
    proxy,
    connectTimeoutMs: Math.min(flags.timeout, 10_000),
    connections: parts.connections,
  })
  closers.push(() => dispatcher.destroy())
  return createApi({
    baseUrl,
    credential,
    dispatcher,
    proxy,
    clock: outside.clock,
    random: outside.random,
    signal: outside.interrupts.signal,
    userAgent: `facescan-cli/${version}`,
    timeoutMs: flags.timeout,
    retries: flags.retries,
    maxWaitMs,
    observer,
    gate,
    before: guard(composition, ctx, approval),
    after: approval.after,
    settled: approval.settled,
    mismatch: (endpoint, problems) => reportMismatch(ctx, endpoint, problems),
  })
}

/** A person at a terminal sees before each production command where it goes. */
function announce({ outside, pens }: Composition, session: Session): void {
  const { stderr } = outside.io
  if (session.environment !== 'production' || !stderr.isTTY) return
  const host = session.baseUrl === undefined ? '' : ` at ${new URL(session.baseUrl).host}`
  stderr.write(
    formatMessage(
      'warning',
      `production: ${session.profile ?? 'a key without a profile'}${host}`,
      pens.stderr,
    ),
  )
}

type Reached = {
  baseUrl: URL
  credential: { kind: 'key' | 'token'; value: string; source: string } | undefined
}

/** The service of a session; the built-in sandbox is started inside this process, on a loopback port. */
async function reach(session: Session, { ctx, closers }: Parts): Promise<Reached> {
  const given = session.credential && {
    kind: session.credential.kind,
    value: session.credential.secret.reveal(),
    source: session.credential.source,
  }
  if (session.baseUrl !== undefined) return { baseUrl: new URL(session.baseUrl), credential: given }
  const { startSandbox } = await ctx.sandbox()
  const sandbox = await startSandbox({ database: ctx.sandboxDatabase(), clock: ctx.clock })
  closers.push(() => sandbox.close())
  const builtIn = {
    kind: 'key',
    value: sandbox.keys.development.key,
    source: 'the built-in sandbox',
  } as const
  return { baseUrl: new URL(sandbox.url), credential: given ?? builtIn }
}

/** A dry run looks things up as usual and stops at the request the command is about. */
function guard({ flags, looksUp }: Composition, ctx: Context, approval: Approval) {
  return (endpoint: Endpoint, request: WireRequest): Promise<void> | undefined => {
    if (endpoint.deprecated) deprecated(ctx)
    if (!flags.dryRun) return approval.before(endpoint, request)
    if (looksUp && endpoint.effect === 'read') return undefined
    if (flags.curl) ctx.io.stderr.write(`${escapeControls(toCurl(request))}\n`)
    return Promise.reject(new DryRunStop(request))
  }
}

const toldDeprecated = new WeakSet<Context>()

function deprecated(ctx: Context): void {
  if (toldDeprecated.has(ctx)) return
  toldDeprecated.add(ctx)
  ctx.warn('the service will remove its widget endpoints; use "biomarkers" and "metrics" instead')
}

function reportMismatch(ctx: Context, endpoint: Endpoint, problems: string[]): void {
  const text = `the service answered a shape this version does not know (${endpoint.method} ${endpoint.path}): ${problems.slice(0, 3).join('; ')}`
  if (ctx.flags.strict) throw new ServiceError('server', text, { hint: 'Omit --strict to see the data.' })
  ctx.warn(text)
}
