import { join } from 'node:path'
import { once } from '../base/functions.ts'
import { requireDirectory, trustOwner } from '../base/paths.ts'
import type { Context } from '../framework/context.ts'
import type { Manual } from '../framework/manual.ts'
import { filterValue } from '../output/json.ts'
import { formatMessage, formatMessageForMachines, isForMachines } from '../output/message.ts'
import { createProgress } from '../output/progress.ts'
import type { Session } from '../profiles/session.ts'
import { createApproval } from './approval.ts'
import { createAsk, isAskable } from './ask.ts'
import type { Composition, LocalContext } from './composition.ts'
import { limitTime } from './interrupts.ts'

/** Builds the context of one command. `close` closes everything that the command opened. */
export function composeContext(composition: Composition): { ctx: Context; close(): Promise<void> } {
  const local = composeLocal(composition)
  const { flags, clock, closers } = local
  const timeLimit =
    flags.maxTime === undefined ? undefined : limitTime(flags.maxTime, clock, composition.outside.interrupts)
  if (timeLimit) closers.push(timeLimit.cancel)
  const approval = createApproval(local)
  closers.push(approval.close)
  const observe = once(async () => (await import('./observe.ts')).observe(local))
  const ctx: Context = {
    ...local,
    approve: approval.approve,
    concludeImport: approval.concludeImport,
    api: once(async (options) => ctx.connect(await local.session(), options)),
    connect: async (session, options) => {
      const { openApi } = await import('./open-api.ts')
      return openApi(local, session, { approval, observers: await observe(), ...options })
    },
    print: async (value, view) => {
      const { printResult } = await import('./print-result.ts')
      await printResult(local, value, view, { timeLimit, hasChanged: approval.hasChanged })
    },
  }
  return {
    ctx,
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

function composeLocal(composition: Composition): LocalContext {
  const { outside, flags, settings, paths, pens } = composition
  const { io, env, clock, random, interrupts } = outside
  const messages = composeMessages(composition)
  trustOwner(flags.trustOwner)
  return {
    composition,
    closers: [],
    io,
    env,
    clock,
    random,
    flags,
    settings,
    // jq blocks the event loop, so Ctrl-C must use the default handler.
    filter: (value) => interrupts.withDefaultSignals(async () => filterValue(value, settings.jq ?? '.')),
    paths,
    command: composition.name,
    line: composition.line,
    target: {},
    ask: createAsk(io, {
      possible: isAskable(io, env, flags),
      pen: pens.stderr,
      signal: interrupts.signal,
    }),
    run: (words, changes) => composition.main(words, { ...outside, ...changes }),
    signal: interrupts.signal,
    drainFirst: () => interrupts.drainFirst(),
    session: once(() => openSession(composition, messages.warn)),
    manual,
    sandbox: () => import('../sandbox/index.ts'),
    sandboxDatabase: () => join(requireDirectory(paths, 'state'), 'sandbox.db'),
    ...messages,
  }
}

function composeMessages({ outside: { io }, flags, pens, settings }: Composition) {
  // A command has one progress line. Other text replaces the line.
  const progress = createProgress(io.stderr, pens.stderr, flags.quiet)
  const say = (kind: 'success' | 'note' | 'warning') => (text: string) => {
    progress.clear()
    const isJson = isForMachines(settings.format, io.stderr)
    io.stderr.write(isJson ? formatMessageForMachines(kind, text) : formatMessage(kind, text, pens.stderr))
  }
  const sayNothing = () => undefined
  return {
    done: flags.quiet ? sayNothing : say('success'),
    note: flags.quiet ? sayNothing : say('note'),
    warn: say('warning'),
    progress,
    pen: (stream: 'stdout' | 'stderr') => pens[stream],
    write: async (bytes: Uint8Array) => {
      const { write } = await import('../output/write.ts')
      await write(io.stdout, bytes)
    },
  }
}

async function openSession(
  { outside, flags, paths, command }: Composition,
  warn: (text: string) => void,
): Promise<Session> {
  const [{ resolveSession }, { findReadableProfiles }] = await Promise.all([
    import('../profiles/session.ts'),
    import('../profiles/profile-file.ts'),
  ])
  const { io, clock, interrupts } = outside
  // Other commands ignore the variable.
  const env = command.takesToken ? outside.env : { ...outside.env, FACESCAN_ACTION_TOKEN: undefined }
  const readable = findReadableProfiles(paths)
  if (readable !== undefined) warn(readable)
  const session = await resolveSession({ flags, env, paths, io, clock, signal: interrupts.signal })
  if (session.unselected) {
    const { checkUnselected } = await import('../profiles/unselected.ts')
    // The effect of a raw call depends on its method.
    const reads = flags.dryRun || command.calls === 'any'
    const warning = checkUnselected(session, reads ? 'read' : command.effect, io)
    if (warning !== undefined) warn(warning)
  }
  return session
}

const manual: Manual = {
  schema: async () => (await import('../help/schema.ts')).programSchema(),
  page: async (words) => (await import('../help/pages/pages.ts')).findPage(words),
}
