import { ServiceError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Api, createApi } from '../http/client.ts'
import { toCurl } from '../http/curl.ts'
import { callDirectly } from '../http/direct.ts'
import { DryRunStop } from '../http/dry-run.ts'
import type { Gate } from '../http/gate.ts'
import { findProxy } from '../http/proxy.ts'
import type { HttpCredential } from '../http/request.ts'
import type { Dispatcher, Observer, WireRequest } from '../http/wire.ts'
import { formatMessage } from '../output/message.ts'
import { escapeControls } from '../output/text.ts'
import type { Session } from '../profiles/session.ts'
import type { Approval } from './approval.ts'
import type { Close, Composition, LocalContext } from './composition.ts'

interface Parts {
  composition: Composition
  local: LocalContext
  approval: Approval
  observer: Observer
  /** Called in reverse order at the end of the command. */
  closers: Close[]
  gate?: Gate
  connections?: number
}

/** Longest accepted wait between two attempts, in ms. */
const maxWaitMs = 60_000

/** Creates the client of a session, and opens the built-in sandbox if the session uses it. */
export async function openApi(session: Session, parts: Parts): Promise<Api> {
  const { composition, local, approval, observer, gate } = parts
  const { flags, outside } = composition
  announce(session, parts)
  const { baseUrl, credential } = session
  const service = baseUrl === undefined ? await openBuiltIn(parts) : await connect(new URL(baseUrl), parts)
  return createApi({
    ...service,
    credential: credential
      ? { kind: credential.kind, value: credential.secret.reveal(), source: credential.source }
      : service.credential,
    clock: outside.clock,
    random: outside.random,
    signal: outside.interrupts.signal,
    userAgent: `facescan-cli/${version}`,
    timeoutMs: flags.timeout,
    retries: flags.retries,
    maxWaitMs,
    observer,
    gate,
    before: guard(parts),
    after: approval.after,
    settled: approval.settled,
    mismatch: (endpoint, problems) => reportMismatch(local, endpoint, problems),
  })
}

/** Warns about unchecked certificates. On a terminal, each command that uses production shows its destination. */
function announce({ environment, profile, baseUrl }: Session, { composition, local }: Parts): void {
  // Node applies the variable to every connection of the process.
  if (local.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    local.warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anyone on the network path can read the key',
    )
  }
  if (environment !== 'production' || !local.io.stderr.isTTY) return
  const host = baseUrl === undefined ? '' : ` at ${new URL(baseUrl).host}`
  const text = `production: ${profile ?? 'a key without a profile'}${host}`
  local.io.stderr.write(formatMessage('warning', text, composition.pens.stderr))
}

interface Target {
  baseUrl: URL
  dispatcher: Dispatcher
  proxy?: URL | undefined
  /** Used if the session has no credential. */
  credential?: HttpCredential
}

/** A service over HTTP. */
async function connect(baseUrl: URL, { composition, closers, connections }: Parts): Promise<Target> {
  // The built-in sandbox does not need undici.
  const { createDispatcher } = await import('../http/dispatcher.ts')
  const { flags, outside } = composition
  const proxy = findProxy(baseUrl, outside.env)
  const dispatcher = createDispatcher({
    origin: baseUrl.origin,
    env: outside.env,
    proxy,
    connectTimeoutMs: Math.min(flags.timeout, 10_000),
    connections,
  })
  closers.push(() => dispatcher.destroy())
  return { baseUrl, dispatcher, proxy }
}

/** The service of this program, without HTTP. */
async function openBuiltIn({ local, closers }: Parts): Promise<Target> {
  const { openSandbox } = await local.sandbox()
  const sandbox = await openSandbox(local.sandboxDatabase(), local.clock)
  if (local.flags.curl) local.note('to run the curl command, start the server first: facescan sandbox serve')
  const dispatcher = callDirectly(sandbox.origin, sandbox.handle)
  closers.push(async () => {
    await dispatcher.destroy()
    sandbox.close()
  })
  return {
    baseUrl: new URL(sandbox.origin),
    dispatcher,
    credential: { kind: 'key', value: sandbox.key, source: 'the built-in sandbox' },
  }
}

/** Checks each request before it is sent. A dry run sends requests that only read, and stops at the first other request. */
function guard({ composition: { flags, command }, local, approval }: Parts) {
  let isWarned = false
  // A dry run of a raw call shows the call, even if the call only reads.
  const sendsReads = command.effect !== 'read' && command.calls !== 'any'
  return (endpoint: Endpoint, request: WireRequest): Promise<void> | undefined => {
    if (endpoint.deprecated && !isWarned) {
      isWarned = true
      local.warn('the service will remove its widget endpoints; use "biomarkers" and "metrics" instead')
    }
    if (!flags.dryRun) return approval.before(endpoint, request)
    if (sendsReads && endpoint.effect === 'read') return undefined
    if (flags.curl) local.io.stderr.write(`${escapeControls(toCurl(request))}\n`)
    return Promise.reject(new DryRunStop(request))
  }
}

function reportMismatch({ flags, warn }: LocalContext, endpoint: Endpoint, problems: string[]): void {
  const text = `unexpected response shape from ${endpoint.method} ${endpoint.path}: ${problems.slice(0, 3).join('; ')}`
  if (flags.strict) throw new ServiceError('server', text, { hint: 'Omit --strict to see the data.' })
  warn(text)
}
