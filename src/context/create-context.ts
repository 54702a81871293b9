import { once } from '../base/functions.ts'
import type { Io } from '../base/io.ts'
import { findModeProblem } from '../base/paths.ts'
import type { Ask, TextOptions } from '../framework/ask.ts'
import type { Context } from '../framework/context.ts'
import { createTerminal } from '../output/colors.ts'
import { formatMessage, formatMessageForMachines, isForMachines } from '../output/message.ts'
import { isForPeople } from '../output/settings.ts'
import type { Terminal } from '../output/view.ts'
import type { Selection, Session } from '../profiles/session.ts'
import type { Changes } from './changes.ts'
import type { CommandContext, ProcessEnvironment } from './command-context.ts'
import { limitTime } from './interrupts.ts'
import type { PromptSettings, ShowPrompt } from './prompts/show-prompt.ts'

/** What the command line determines. Most fields become fields of the context. */
interface Started
  extends Pick<
    CommandContext,
    'command' | 'definition' | 'flags' | 'given' | 'line' | 'canGoBack' | 'settings' | 'paths'
  > {
  /** The values of the command line. Prompts may add values. */
  input: Record<string, unknown>
  /** Returns the selected profile. Later calls return the same profile. */
  select(): Promise<Selection>
  canAsk: boolean
  main(words: readonly string[], environment: ProcessEnvironment): Promise<number>
}

export async function createContext(
  { input, select, canAsk, main, ...started }: Started,
  environment: ProcessEnvironment,
): Promise<CommandContext> {
  const { flags, settings } = started
  const { io, env, clock, interrupts } = environment
  // Many CI systems set FORCE_COLOR, but programs cannot parse colored JSON. So output for programs has no color.
  const isForProgram = io.stdout.isTTY !== true && !isForPeople(settings)
  const color = isForProgram && flags.color === 'auto' ? 'never' : flags.color
  const stdout = await createTerminal({ stream: io.stdout, env, color, clock })
  const stderr = await createTerminal({ stream: io.stderr, env, color: flags.color, clock })
  const timeLimit = flags.maxTime === undefined ? undefined : limitTime(flags.maxTime, clock, interrupts)
  const closers = timeLimit ? [timeLimit.cancel] : []
  const ctx: CommandContext = {
    ...environment,
    ...started,
    ...(await createMessages(started, io, stderr)),
    ...connectService(() => ctx, input),
    closers,
    signal: interrupts.signal,
    drainFirst: interrupts.drainFirst,
    program: { run: (words, other) => main(words, { ...environment, ...other }), ...descriptions },
    ask: openPrompts(io, { possible: canAsk, terminal: stderr, signal: interrupts.first }),
    session: once(() => openSession(ctx, select)),
    terminals: { stdout, stderr },
    // jq blocks the event loop, so Ctrl-C needs the default handler.
    filter: (value) =>
      interrupts.withDefaultSignals(async () =>
        (await import('../output/jq.ts')).filterValue(value, settings.jq ?? '.', timeLimit),
      ),
    // Closes everything in reverse order. Then throws the first error.
    close: async () => {
      const errors: unknown[] = []
      for (const close of closers.toReversed()) await close().catch((error) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
  return ctx
}

/** Prints prompts on stderr, so that stdout contains only data. */
function openPrompts(io: Io, settings: PromptSettings): Ask {
  const put = async <Value>(label: string, options: TextOptions, show: ShowPrompt<Value>) =>
    (await import('./prompts/show-prompt.ts')).showPrompt(io, settings, { label, ...options }, show)
  return {
    possible: settings.possible,
    text: (label, options = {}) =>
      put(label, options, (prompts, request, validate) => prompts.text(request, validate, options.earlier)),
    secret: (label, options = {}) =>
      put(label, options, (prompts, request, validate) => prompts.secret(request, validate)),
    confirm: (question, { default: fallback = false, ...options } = {}) =>
      put(question, options, (prompts, request) => prompts.confirm(request, fallback)),
    select: (label, choices, { none, earlier, ...options } = {}) =>
      put(label, options, (prompts, request) => prompts.select(request, choices, { none, earlier })),
  }
}

type ServiceParts = Pick<Context, 'confirm' | 'confirmRun' | 'api' | 'connect' | 'print'>

/** Creates `print` and the functions that send requests. If `print` fails, its error says whether a change was made. */
function connectService(context: () => CommandContext, input: Started['input']): ServiceParts {
  let made: Changes | undefined
  const openChanges = once(async () => {
    const { Changes } = await import('./changes.ts')
    const changes = new Changes(context())
    made = changes
    context().closers.push(() => changes.close())
    return changes
  })
  let isAnnounced = false
  const open = async (session: Session, options: Parameters<Context['connect']>[1]) => {
    const changes = context().definition.effect === 'read' ? undefined : await openChanges()
    const { announce, openApi } = await import('./open-api.ts')
    // A run for a list of users opens several clients, but must announce its session only once.
    if (!isAnnounced) announce(context(), session)
    isAnnounced = true
    return openApi(context(), session, { changes, ...options })
  }
  const client = once(async () => {
    const { session, definition } = context()
    return open(await session(), { connections: definition.connections?.(input) })
  })
  return {
    confirm: async (change) => (await openChanges()).confirmChange(change),
    confirmRun: async (change) => {
      const changes = await openChanges()
      await changes.beginRun(change)
      const { send } = await client()
      return { send, finish: (result) => changes.endRun(result) }
    },
    api: async () => (await client()).api,
    connect: async (session, options) => (await open(session, options)).api,
    print: async (value, view, options = {}) => {
      const { printResult } = await import('./print-result.ts')
      await printResult(context(), value, view, { ...options, hasChanged: made?.hasChanged === true })
    },
  }
}

/** Creates the functions for messages. On a terminal, messages replace the progress line of the command. */
async function createMessages(
  { flags, settings }: Pick<Started, 'flags' | 'settings'>,
  io: Io,
  terminal: Terminal,
): Promise<Pick<Context, 'done' | 'note' | 'warn' | 'progress'>> {
  const sayNothing = () => undefined
  const isShown = terminal.pictures && !flags.quiet
  const progress = isShown
    ? (await import('../output/progress.ts')).createProgress(io.stderr, terminal)
    : { show: sayNothing, clear: sayNothing }
  const say = (kind: 'success' | 'note' | 'warning', text: string) => {
    progress.clear()
    const isJson = isForMachines(settings.format, io.stderr)
    io.stderr.write(isJson ? formatMessageForMachines(kind, text) : formatMessage(kind, text, terminal))
  }
  return {
    done: flags.quiet ? sayNothing : (text) => say('success', text),
    note: flags.quiet ? sayNothing : (text) => say('note', text),
    warn: (text) => say('warning', text),
    progress,
  }
}

async function openSession(
  { definition, flags, paths, env, io, clock, signal, warn }: CommandContext,
  select: Started['select'],
): Promise<Session> {
  const [{ checkUnselected, resolveSession }, { profileFilePath }] = await Promise.all([
    import('../profiles/session.ts'),
    import('../profiles/profile-file.ts'),
  ])
  // The profile file contains names and base URLs but no keys, so a file that other users can read causes only a warning.
  const problem = findModeProblem(profileFilePath(paths) ?? '')
  if (problem) warn([problem.message, problem.hint].join('. '))
  const session = await resolveSession({ flags, env, paths, io, clock, signal }, await select())
  // The effect of a raw call depends on its method, which is not checked here. A raw call therefore counts as a read, and the command
  // `api` checks whether it changes data.
  const reads = flags.dryRun || definition.calls === 'any'
  const warning = checkUnselected(session, reads ? 'read' : definition.effect, io)
  if (warning !== undefined) warn(warning)
  return session
}

const descriptions: Pick<Context['program'], 'page' | 'schema'> = {
  schema: async () => (await import('../help/schema.ts')).programSchema(),
  page: async (words) => (await import('../help/pages/pages.ts')).findPage(words),
}
