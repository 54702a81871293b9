import { once } from '../base/functions.ts'
import { type Environment, type Io, isOn } from '../base/io.ts'
import { resolvePaths, trustOwner } from '../base/paths.ts'
import type { Context } from '../framework/context.ts'
import type { Command } from '../framework/define-command.ts'
import type { GlobalFlags } from '../framework/global-flags.ts'
import type { Manual } from '../framework/manual.ts'
import { filterValue } from '../output/json.ts'
import { formatMessage, formatMessageForMachines, isForMachines } from '../output/message.ts'
import { createPen } from '../output/pen.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen } from '../output/view.ts'
import type { Session } from '../profiles/session.ts'
import { openPrompts } from './ask.ts'
import type { CommandContext, ProcessEnvironment } from './command-context.ts'
import { limitTime } from './interrupts.ts'

/** A parsed command line. */
interface Started {
  command: string
  definition: Command
  /** The values of the command line. Prompts may add values. */
  input: Record<string, unknown>
  flags: GlobalFlags
  given: Context['given']
  line: string
  settings: OutputSettings
  main(words: readonly string[], environment: ProcessEnvironment): Promise<number>
}

export async function createContext(
  { input, main, ...started }: Started,
  environment: ProcessEnvironment,
): Promise<CommandContext> {
  const { flags, settings } = started
  const { io, env, clock, interrupts } = environment
  trustOwner(flags.trustOwner)
  const stdout = await createPen({ stream: io.stdout, env, color: flags.color, clock })
  const stderr = await createPen({ stream: io.stderr, env, color: flags.color, clock })
  const timeLimit = flags.maxTime === undefined ? undefined : limitTime(flags.maxTime, clock, interrupts)
  const closers = timeLimit ? [timeLimit.cancel] : []
  const ctx: CommandContext = {
    ...environment,
    ...started,
    ...(await createMessages(started, io, stderr)),
    ...connectService(() => ctx, input),
    timeLimit,
    closers,
    paths: resolvePaths(env),
    signal: interrupts.signal,
    drainFirst: interrupts.drainFirst,
    manual,
    ask: openPrompts(io, { possible: isAskable(io, env, flags), pen: stderr, signal: interrupts.signal }),
    session: once(() => openSession(ctx)),
    pen: (stream) => (stream === 'stdout' ? stdout : stderr),
    run: (words, other) => main(words, { ...environment, ...other }),
    // jq blocks the event loop, so Ctrl-C needs the default handler.
    filter: (value) => interrupts.withDefaultSignals(async () => filterValue(value, settings.jq ?? '.')),
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
  return ctx
}

/** Whether prompts are possible: stdin and stderr are terminals, and no flag and no variable disables prompts. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: { input: boolean; yes: boolean },
): boolean {
  const isAllowed = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return isAllowed && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

type ServiceParts = Pick<Context, 'confirm' | 'startRun' | 'api' | 'connect' | 'print'>

/** Adds the functions that send requests, and `print`, whose errors depend on whether a change was made. */
function connectService(context: () => CommandContext, input: Started['input']): ServiceParts {
  let hasChanged = () => false
  const openChanges = once(async () => {
    const { Changes } = await import('./changes.ts')
    const changes = new Changes(context())
    hasChanged = () => changes.hasChanged
    context().closers.push(() => changes.close())
    return changes
  })
  const open = async (session: Session, options: Parameters<Context['connect']>[1]) => {
    const changes = context().definition.effect === 'read' ? undefined : await openChanges()
    const { openApi } = await import('./open-api.ts')
    return openApi(context(), session, { changes, ...options })
  }
  const client = once(async () => {
    const { session, definition } = context()
    return open(await session(), { connections: definition.connections(input) })
  })
  return {
    confirm: async (change) => (await openChanges()).confirmChange(change),
    startRun: async (change) => {
      const changes = await openChanges()
      await changes.beginRun(change)
      const { send } = await client()
      return { send, finish: (result) => changes.endRun(result) }
    },
    api: async () => (await client()).api,
    connect: async (session, options) => (await open(session, options)).api,
    print: async (value, view, user) => {
      const { printResult } = await import('./print-result.ts')
      await printResult(context(), value, view, { user, hasChanged: hasChanged() })
    },
  }
}

/** Creates the functions for messages. A command has one progress line on a terminal, which other text replaces. */
async function createMessages(
  { flags, settings }: Pick<Started, 'flags' | 'settings'>,
  io: Io,
  pen: Pen,
): Promise<Pick<Context, 'done' | 'note' | 'warn' | 'progress'>> {
  const sayNothing = () => undefined
  const progress = pen.pictures
    ? (await import('../output/progress.ts')).createProgress(io.stderr, pen, flags.quiet)
    : { show: sayNothing, clear: sayNothing }
  const say = (kind: 'success' | 'note' | 'warning') => (text: string) => {
    progress.clear()
    const isJson = isForMachines(settings.format, io.stderr)
    io.stderr.write(isJson ? formatMessageForMachines(kind, text) : formatMessage(kind, text, pen))
  }
  return {
    done: flags.quiet ? sayNothing : say('success'),
    note: flags.quiet ? sayNothing : say('note'),
    warn: say('warning'),
    progress,
  }
}

async function openSession({
  definition,
  flags,
  paths,
  env,
  io,
  clock,
  signal,
  warn,
}: CommandContext): Promise<Session> {
  const [{ resolveSession }, { findReadableProfiles }] = await Promise.all([
    import('../profiles/session.ts'),
    import('../profiles/profile-file.ts'),
  ])
  const readable = findReadableProfiles(paths)
  if (readable !== undefined) warn(readable)
  // Only commands that accept an action token read the variable.
  const used = definition.takesToken ? env : { ...env, FACESCAN_ACTION_TOKEN: undefined }
  const session = await resolveSession({ flags, env: used, paths, io, clock, signal })
  if (session.unselected) {
    const { checkUnselected } = await import('../profiles/unselected.ts')
    // The effect of a raw call depends on its HTTP method.
    const reads = flags.dryRun || definition.calls === 'any'
    const warning = checkUnselected(session, reads ? 'read' : definition.effect, io)
    if (warning !== undefined) warn(warning)
  }
  return session
}

const manual: Manual = {
  schema: async () => (await import('../help/schema.ts')).programSchema(),
  page: async (words) => (await import('../help/pages/pages.ts')).findPage(words),
}
