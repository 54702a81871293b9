import { join } from 'node:path'
import { type Approval, createApproval } from './approval.ts'
import { createAsk, isAskable } from './ask.ts'
import type { Context } from './context.ts'
import type { Effect, Endpoint } from './contract/endpoint.ts'
import { ServiceError } from './errors.ts'
import type { GlobalFlags } from './flags.ts'
import type { Api } from './http/client.ts'
import type { Observer, WireRequest } from './http/wire.ts'
import { type Interrupts, limitTime } from './interrupt.ts'
import type { Clock, Environment, Io } from './io.ts'
import type { Manual } from './manual.ts'
import { observe } from './observe.ts'
import { formatMessage, type MessageKind } from './output/message.ts'
import { createProgress } from './output/progress.ts'
import type { OutputSettings } from './output/settings.ts'
import type { Pen } from './output/view.ts'
import { type Paths, requireDirectory } from './profiles/paths.ts'
import type { Session } from './profiles/session.ts'
import type { Pseudonyms } from './redaction/pseudonyms.ts'
import { version } from './version.ts'

export interface Outside {
  io: Io
  env: Environment
  clock: Clock
  random(): number
  interrupts: Interrupts
  /** With --redact; the streams are covered already, results are redacted before they are laid out. */
  pseudonyms?: Pseudonyms
}

export interface Composition {
  outside: Outside
  main(words: readonly string[], outside: Outside): Promise<number>
  command: string
  effect: Effect
  /** Whether the command can act with an action token; others do not look for one. */
  takesToken: boolean
  flags: GlobalFlags
  paths: Paths
  settings: OutputSettings
  pens: { stdout: Pen; stderr: Pen }
}

/** Longest wait between two attempts that is accepted, in ms; beyond it the command gives up and says when to come back. */
const maxWaitMs = 60_000

/** Builds the context of one command. What it opened is closed again by `close`. */
export function composeContext(composition: Composition): { ctx: Context; close(): Promise<void> } {
  const { outside, flags, settings, paths, pens } = composition
  const { io, env, clock, interrupts } = outside
  const closers: (() => Promise<void>)[] = []
  const say = (kind: MessageKind, text: string) =>
    void io.stderr.write(formatMessage(kind, text, pens.stderr))
  const interactive = isAskable(io, env, flags)

  const session = once(async () => {
    const { resolveSession } = await import('./profiles/session.ts')
    return resolveSession({
      flags,
      env: composition.takesToken ? env : { ...env, FACESCAN_ACTION_TOKEN: undefined },
      get stdin() {
        return io.stdin
      },
      paths,
      now: clock.now(),
    })
  })

  const parts: Omit<Context, 'approve'> = {
    io,
    env,
    clock,
    flags,
    format: settings.format,
    paths,
    command: composition.command,
    ask: createAsk(io, interactive, interrupts.signal),
    run: (words, changes) => composition.main(words, { ...outside, ...changes }),
    signal: interrupts.signal,
    random: outside.random,
    drainFirst: () => interrupts.drainFirst(),
    session,
    manual,
    sandbox: () => import('./sandbox/index.ts'),
    sandboxDatabase: () => sandboxDatabase(paths),
    api: once(async () => ctx.connect(await session())),
    connect: async (session) =>
      openApi(composition, { ctx, approval, observer: await observer() }, session, closers),
    print: async (value, view) => {
      const { printResult } = await import('./print-result.ts')
      const shown = outside.pseudonyms ? outside.pseudonyms.value(value) : value
      const { hasChanged } = approval
      await printResult(shown, view, { ...parts, settings, pen: pens.stdout, hasChanged })
    },
    write: async (bytes) => {
      const { write } = await import('./output/write.ts')
      await write(io.stdout, bytes)
    },
    note: (text) => {
      if (!flags.quiet) say('note', text)
    },
    warn: (text) => say('warning', text),
    progress: () => createProgress(io.stderr, pens.stderr, flags.quiet),
    pen: (stream) => pens[stream],
  }
  const observer = once(() =>
    observe({
      ...parts,
      settings,
      stderr: io.stderr,
      pen: pens.stderr,
      onClose: (close) => closers.push(close),
    }),
  )
  if (flags.maxTime !== undefined) closers.push(limitTime(flags.maxTime, clock, interrupts))
  const approval = createApproval(parts)
  closers.push(approval.close)
  const ctx: Context = { ...parts, approve: approval.approve }
  return {
    ctx,
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

const manual: Manual = {
  schema: async () => {
    const { programSchema } = await import('./schema/schema.ts')
    return programSchema(await manual.surface())
  },
  page: async (words) => (await import('./help/pages.ts')).findPage(words),
  surface: async () => (await import('./surface/read-surface.ts')).readSurface(),
}

function sandboxDatabase(paths: Paths): string {
  return join(requireDirectory(paths, 'state'), 'sandbox.db')
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function openApi(
  composition: Composition,
  { ctx, approval, observer }: { ctx: Context; approval: Approval; observer: Observer },
  session: Session,
  closers: (() => Promise<void>)[],
): Promise<Api> {
  const [{ createApi }, { createDispatcher }, { findProxy }] = await Promise.all([
    import('./http/client.ts'),
    import('./http/dispatcher.ts'),
    import('./http/proxy.ts'),
  ])
  announce(composition, session)
  const { baseUrl, credential } = await reach(composition, session, closers)
  const { flags, outside } = composition
  const proxy = findProxy(baseUrl, outside.env)
  const dispatcher = createDispatcher({
    env: outside.env,
    proxy,
    connectTimeoutMs: Math.min(flags.timeout, 10_000),
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
    before: await guard(composition, ctx, approval),
    after: approval.after,
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
async function reach(
  { paths, outside }: Composition,
  session: Session,
  closers: (() => Promise<void>)[],
): Promise<Reached> {
  const given = session.credential && {
    kind: session.credential.kind,
    value: session.credential.secret.reveal(),
    source: session.credential.source,
  }
  if (session.baseUrl !== undefined) return { baseUrl: new URL(session.baseUrl), credential: given }
  const { startSandbox } = await import('./sandbox/index.ts')
  const sandbox = await startSandbox({ database: sandboxDatabase(paths), clock: outside.clock })
  closers.push(() => sandbox.close())
  const builtIn = {
    kind: 'key',
    value: sandbox.keys.development.key,
    source: 'the built-in sandbox',
  } as const
  return { baseUrl: new URL(sandbox.url), credential: given ?? builtIn }
}

/** A dry run looks things up as usual and stops at the request the command is about. */
async function guard({ flags, effect }: Composition, ctx: Context, approval: Approval) {
  const { DryRunStop } = await import('./http/dry-run.ts')
  const { toCurl } = await import('./http/curl.ts')
  return async (endpoint: Endpoint, request: WireRequest) => {
    if (endpoint.deprecated) deprecated(ctx)
    if (!flags.dryRun) return approval.before(endpoint, request)
    if (effect !== 'read' && endpoint.effect === 'read') return
    if (flags.curl) ctx.io.stderr.write(`${toCurl(request)}\n`)
    throw new DryRunStop(request)
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
  if (ctx.flags.strict)
    throw new ServiceError('server', text, { hint: 'Leave out --strict to see the data all the same.' })
  ctx.warn(text)
}
