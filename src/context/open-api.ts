import { ServiceError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import { isOn } from '../base/io.ts'
import { version } from '../base/process.ts'
import type { Effect } from '../contract/endpoint.ts'
import { checkBody } from '../http/body-check.ts'
import { chain, type Send, type Step } from '../http/chain.ts'
import { type Api, callThrough, createApi, type SendOnce } from '../http/client.ts'
import type { HttpCredential } from '../http/request.ts'
import { retry } from '../http/retry.ts'
import { escapeControls } from '../output/text.ts'
import { describeProduction, type Session } from '../profiles/session.ts'
import type { Changes } from './changes.ts'
import type { CommandContext } from './command-context.ts'

interface ClientSettings {
  /** Confirmation and audit log. Undefined for a command that changes nothing. */
  changes: Changes | undefined
  /** Delays an attempt until the rate limit allows it. Used by commands that send many requests. */
  limit?: Step | undefined
  /** Maximum number of open connections (default 1). */
  connections?: number | undefined
  /** Maximum accepted wait between two attempts (default one minute). */
  maxWaitMs?: number | undefined
}

/** Requests from `api` use confirmation, audit log, and retries. `send` skips these steps, because it is used in a confirmed run. */
export async function openApi(
  ctx: CommandContext,
  session: Session,
  { changes, limit, connections, maxWaitMs = 60_000 }: ClientSettings,
): Promise<{ api: Api; send: SendOnce }> {
  const { clock, random, flags, env } = ctx
  const { baseUrl, proxy, send, credential } = await openService(ctx, session, connections)
  const isTraced = flags.debug || isOn(env['FACESCAN_DEBUG'])
  const attempt = chain(
    // The protection is read after the wait for the rate limit, because it can change during this wait.
    [
      ...(limit ? [limit] : []),
      ...(changes ? [changes.protect] : []),
      ...(isTraced || flags.curl ? await openTraces(ctx, isTraced) : []),
    ],
    send,
  )
  const checks = [checkEffect(ctx), ...(flags.dryRun ? [await stopsDryRun(ctx)] : [])]
  const call = chain(
    [
      ...checks,
      reportFormat(ctx),
      ...(changes ? [changes.confirm, changes.audit] : []),
      checkBody(baseUrl),
      retry({
        ...{ clock, random, proxy, retries: flags.retries, maxWaitMs },
        pause: (delayMs, reason) => pause(ctx, delayMs, reason, isTraced),
      }),
    ],
    attempt,
  )
  const options = { baseUrl, credential, userAgent: `facescan-cli/${version}`, call }
  return {
    api: createApi({ ...options, attempt: chain([...checks, onlyReads], attempt) }),
    send: callThrough(options, chain(checks, attempt)),
  }
}

/** Warns if certificates are not checked. If a command only reads from a production service, a note on the terminal names the service. */
export function announce({ env, io, warn, note, definition }: CommandContext, session: Session): void {
  // With NODE_TLS_REJECT_UNAUTHORIZED=0, Node verifies no certificates in this process, including those of the service.
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path can read the key',
    )
  }
  const isShown = io.stderr.isTTY && definition.effect === 'read'
  const text = isShown ? describeProduction(session) : undefined
  if (text !== undefined) note(text)
}

interface OpenedService {
  baseUrl: URL
  credential: HttpCredential | undefined
  proxy?: URL | undefined
  send: Send
}

async function openService(
  ctx: CommandContext,
  session: Session,
  connections: number | undefined,
): Promise<OpenedService> {
  const { baseUrl: address, credential: own } = session
  const credential = own && { kind: own.kind, value: own.secret.reveal(), source: own.source }
  if (address === undefined) return openBuiltIn(ctx, credential)
  // The built-in sandbox does not use undici, so undici is loaded only for other services.
  const [{ createDispatcher }, { findProxy }, { transport }] = await Promise.all([
    import('../http/dispatcher.ts'),
    import('../http/proxy.ts'),
    import('../http/transport.ts'),
  ])
  const { env, signal, flags } = ctx
  const baseUrl = new URL(address)
  const proxy = findProxy(baseUrl, env)
  const connectTimeoutMs = Math.min(flags.timeout, 10_000)
  const open = (isAlone: boolean) => {
    const options = { origin: baseUrl.origin, env, proxy, connectTimeoutMs, connections, isAlone }
    const dispatcher = createDispatcher(options)
    ctx.closers.push(() => dispatcher.destroy())
    return dispatcher
  }
  const alone = once(() => open(true))
  const send = transport({ dispatcher: open(false), alone, proxy, timeoutMs: flags.timeout, signal })
  return { baseUrl, credential, proxy, send }
}

/** Opens the sandbox before the first request, because requests contain its key. */
async function openBuiltIn(ctx: CommandContext, given: HttpCredential | undefined): Promise<OpenedService> {
  const [{ builtInDatabase, openSandbox }, { callDirectly }] = await Promise.all([
    import('../sandbox/index.ts'),
    import('../http/direct.ts'),
  ])
  const sandbox = await openSandbox(builtInDatabase(ctx.paths), ctx.clock)
  if (ctx.flags.curl) ctx.note('to run the curl command, start the server first: facescan sandbox serve')
  const { send, close } = callDirectly(sandbox.handle, ctx.signal)
  ctx.closers.push(async () => {
    await close()
    sandbox.close()
  })
  const own = { kind: 'key', value: sandbox.key, source: 'the built-in sandbox' } as const
  return { baseUrl: new URL(sandbox.origin), credential: given ?? own, send }
}

/** Effects in order, from harmless to destructive. */
const effects: readonly Effect[] = ['read', 'change', 'destroy']

/** Throws if a request is more harmful than its command declares, because help and dry run rely on the declared effect. */
function checkEffect({ definition, command, warn }: CommandContext): Step {
  let isWarned = false
  return (call, next) => {
    const { method, path, effect, deprecated } = call.endpoint
    if (effects.indexOf(effect) > effects.indexOf(definition.effect))
      throw new Error(
        `${command} declares the effect "${definition.effect}", but sends ${method} ${path} (${effect})`,
      )
    if (deprecated && !isWarned) {
      isWarned = true
      warn('the service will remove its widget endpoints; use "biomarkers" and "metrics" instead')
    }
    return next(call)
  }
}

async function stopsDryRun({ definition, flags, io }: CommandContext): Promise<Step> {
  const { stopDryRun } = await import('../http/trace.ts')
  return stopDryRun({
    // A dry run of a raw call only prints the call, even if the call only reads.
    sendsReads: definition.effect !== 'read' && definition.calls !== 'any',
    curl: flags.curl ? (command) => io.stderr.write(`${escapeControls(command)}\n`) : undefined,
  })
}

/** Throws if a change is not part of a confirmed run, because it would have no confirmation and no audit entry. */
const onlyReads: Step = (call, next) => {
  const { method, path, effect } = call.endpoint
  if (effect === 'read') return next(call)
  throw new Error(`${method} ${path} changes data, so it must be part of a confirmed run`)
}

function reportFormat({ flags, warn }: CommandContext): Step {
  // Each problem is reported once, because the pages of a list usually have the same problem.
  const warned = new Set<string>()
  return async (call, next) => {
    const response = await next(call)
    const { problems = [], isClear = false } = response.content ?? {}
    if (problems.length === 0) return response
    const { method, path, effect } = call.endpoint
    const text = `unexpected response format from ${method} ${path}: ${problems.slice(0, 3).join('; ')}`
    const isRead = effect === 'read'
    const hint = isRead
      ? 'Omit --strict to see the data.'
      : 'The service applied the change. Do not repeat the command.'
    if (flags.strict) throw new ServiceError('server', text, isRead ? { hint } : { hint, applied: 'yes' })
    if (isClear || warned.has(text)) return response
    warned.add(text)
    warn(text)
    return response
  }
}

async function openTraces({ flags, io }: CommandContext, isTraced: boolean): Promise<Step[]> {
  const { trace, showCurl } = await import('../http/trace.ts')
  const write = (text: string) => void io.stderr.write(`${escapeControls(text)}\n`)
  return [...(isTraced ? [trace(write)] : []), ...(flags.curl ? [showCurl(write)] : [])]
}

/** A shorter wait is not shown, because the text would disappear immediately. */
const shortestShownMs = 1_000

/** Waits before a retry and shows the wait on stderr, unless --quiet is set. */
async function pause(
  { flags, io, clock, signal, progress, note, terminals }: CommandContext,
  delayMs: number,
  reason: string,
  isTraced: boolean,
): Promise<void> {
  if (isTraced) io.stderr.write(`… retrying in ${Math.round(delayMs)} ms: ${reason}\n`)
  const text = `${reason}: retrying in ${Math.ceil(delayMs / 1_000)} s`
  const isShown = !flags.quiet && delayMs >= shortestShownMs
  const line = `${text} (Ctrl-C to stop)`
  if (isShown && terminals.stderr.pictures) progress.show(line)
  else if (isShown) note(text)
  try {
    await clock.sleep(delayMs, signal)
  } finally {
    if (isShown) progress.clear(line)
  }
}
