import { ServiceError } from '../base/errors.ts'
import { version } from '../base/process.ts'
import type { Effect, Endpoint } from '../contract/endpoint.ts'
import { type Api, createApi } from '../http/client.ts'
import { callDirectly } from '../http/direct.ts'
import { DryRunStop } from '../http/dry-run.ts'
import { findProxy } from '../http/proxy.ts'
import type { HttpCredential } from '../http/request.ts'
import { toCurl } from '../http/trace.ts'
import type { Dispatcher, Gate, Observer, WireRequest } from '../http/wire.ts'
import { escapeControls } from '../output/text.ts'
import type { Session } from '../profiles/session.ts'
import { type Approval, describeProduction } from './approval.ts'
import type { Composition, LocalContext } from './composition.ts'

interface ApiOptions {
  approval: Approval
  observers: readonly Observer[]
  gate?: Gate
  connections?: number
  /** Longest accepted wait between two attempts (default one minute). */
  maxWaitMs?: number | undefined
}

/** Creates the client of a session, and opens the built-in sandbox if the session uses it. */
export async function openApi(
  ctx: LocalContext,
  session: Session,
  { approval, observers, gate, connections, maxWaitMs = 60_000 }: ApiOptions,
): Promise<Api> {
  announce(ctx, session)
  const { baseUrl, credential } = session
  const service =
    baseUrl === undefined ? await openBuiltIn(ctx) : await connect(ctx, new URL(baseUrl), connections)
  return createApi({
    ...service,
    credential: credential
      ? { kind: credential.kind, value: credential.secret.reveal(), source: credential.source }
      : service.credential,
    clock: ctx.clock,
    random: ctx.random,
    signal: ctx.signal,
    userAgent: `facescan-cli/${version}`,
    timeoutMs: ctx.flags.timeout,
    retries: ctx.flags.retries,
    maxWaitMs,
    observers,
    gate,
    before: guard(ctx, approval),
    beforeAttempt: ctx.flags.dryRun ? undefined : approval.beforeAttempt,
    after: approval.after,
    settled: approval.settled,
    mismatch: (...mismatch) => reportMismatch(ctx, ...mismatch),
  })
}

/** Warns about unchecked certificates. On a terminal, a command that only reads shows that it uses production. */
function announce({ env, io, warn, note, composition }: LocalContext, session: Session): void {
  // Node applies the variable to every connection of the process.
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path can read the key',
    )
  }
  const text = describeProduction(session)
  if (text !== undefined && io.stderr.isTTY && composition.command.effect === 'read') note(text)
}

interface Target {
  baseUrl: URL
  dispatcher: Dispatcher
  proxy?: URL | undefined
  /** Used if the session has no credential. */
  credential?: HttpCredential
}

async function connect(ctx: LocalContext, baseUrl: URL, connections?: number): Promise<Target> {
  // The built-in sandbox does not need undici.
  const { createDispatcher } = await import('../http/dispatcher.ts')
  const { env, flags } = ctx
  const proxy = findProxy(baseUrl, env)
  const connectTimeoutMs = Math.min(flags.timeout, 10_000)
  const dispatcher = createDispatcher({ origin: baseUrl.origin, env, proxy, connectTimeoutMs, connections })
  ctx.closers.push(() => dispatcher.destroy())
  return { baseUrl, dispatcher, proxy }
}

async function openBuiltIn(ctx: LocalContext): Promise<Target> {
  const { openSandbox } = await ctx.sandbox()
  const sandbox = await openSandbox(ctx.sandboxDatabase(), ctx.clock)
  if (ctx.flags.curl) ctx.note('to run the curl command, start the server first: facescan sandbox serve')
  const dispatcher = callDirectly(sandbox.origin, sandbox.handle)
  ctx.closers.push(async () => {
    await dispatcher.destroy()
    sandbox.close()
  })
  return {
    baseUrl: new URL(sandbox.origin),
    dispatcher,
    credential: { kind: 'key', value: sandbox.key, source: 'the built-in sandbox' },
  }
}

/** From harmless to destructive. */
const effects: readonly Effect[] = ['read', 'change', 'destroy']

/** The help, the schema, and the dry run of a command depend on the effect that it states. */
function assertStated({ command, name }: Composition, { method, path, effect }: Endpoint): void {
  if (effects.indexOf(effect) <= effects.indexOf(command.effect)) return
  throw new Error(`${name} states the effect "${command.effect}", but sends ${method} ${path} (${effect})`)
}

/** Checks each request before it is sent. A dry run sends requests that only read, and stops at the first other request. */
function guard({ composition, flags, io, warn }: LocalContext, approval: Approval) {
  const { command } = composition
  let isWarned = false
  // A dry run of a raw call shows the call, even if the call only reads.
  const sendsReads = command.effect !== 'read' && command.calls !== 'any'
  return async (endpoint: Endpoint, request: WireRequest, kind?: 'single attempt'): Promise<void> => {
    assertStated(composition, endpoint)
    if (endpoint.deprecated && !isWarned) {
      isWarned = true
      warn('the service will remove its widget endpoints; use "biomarkers" and "metrics" instead')
    }
    if (!flags.dryRun) return approval.before(endpoint, request, kind)
    if (sendsReads && endpoint.effect === 'read') return
    if (flags.curl) io.stderr.write(`${escapeControls(toCurl(request))}\n`)
    throw new DryRunStop(request)
  }
}

function reportMismatch(
  { flags, warn }: LocalContext,
  endpoint: Endpoint,
  problems: string[],
  isClear: boolean,
): void {
  const text = `unexpected response format from ${endpoint.method} ${endpoint.path}: ${problems.slice(0, 3).join('; ')}`
  const isRead = endpoint.effect === 'read'
  const hint = isRead
    ? 'Omit --strict to see the data.'
    : 'The service applied the change. Do not repeat the command.'
  if (flags.strict) throw new ServiceError('server', text, isRead ? { hint } : { hint, applied: 'yes' })
  if (!isClear) warn(text)
}
