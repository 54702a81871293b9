import { join } from 'node:path'
import { once } from '../base/once.ts'
import { requireDirectory } from '../base/system/paths.ts'
import type { Context } from '../command/context.ts'
import { followUp } from '../command/follow-up.ts'
import type { Manual } from '../command/manual.ts'
import { userWords } from '../command/user.ts'
import { formatMessage, type MessageKind } from '../output/message.ts'
import { createProgress } from '../output/progress.ts'
import { createApproval } from './approval.ts'
import { createAsk, isAskable } from './ask.ts'
import type { Composition } from './composition.ts'
import { limitTime } from './interrupts.ts'
import { observe } from './observe.ts'

/** Builds the context of one command. What it opened is closed again by `close`. */
export function composeContext(composition: Composition): { ctx: Context; close(): Promise<void> } {
  const { outside, flags, settings, paths, pens } = composition
  const { io, env, clock, interrupts } = outside
  const closers: (() => Promise<void>)[] = []
  const say = (kind: MessageKind, text: string) =>
    void io.stderr.write(formatMessage(kind, text, pens.stderr))
  const interactive = isAskable(io, env, flags)

  const session = once(async () => {
    const { resolveSession } = await import('../profiles/session.ts')
    return resolveSession({
      flags,
      env: composition.takesToken ? env : { ...env, FACESCAN_ACTION_TOKEN: undefined },
      get stdin() {
        return io.stdin
      },
      signal: interrupts.signal,
      paths,
      now: clock.now(),
    })
  })

  const parts: Omit<Context, 'approve' | 'concludeImport'> = {
    io,
    env,
    clock,
    flags,
    format: settings.format,
    paths,
    command: composition.command,
    target: {},
    ask: createAsk(io, { possible: interactive, pen: pens.stderr, signal: interrupts.signal }),
    run: (words, changes) => composition.main(words, { ...outside, ...changes }),
    signal: interrupts.signal,
    random: outside.random,
    drainFirst: () => interrupts.drainFirst(),
    session,
    manual,
    sandbox: () => import('../sandbox/index.ts'),
    sandboxDatabase: () => join(requireDirectory(paths, 'state'), 'sandbox.db'),
    api: once(async (options) => ctx.connect(await session(), options)),
    connect: async (session, options) => {
      const { openApi } = await import('./open-api.ts')
      return openApi(composition, session, { ctx, approval, observer: await observer(), closers, ...options })
    },
    print: async (value, view) => {
      const { printResult } = await import('./print-result.ts')
      const shown = outside.pseudonyms ? outside.pseudonyms.value(value) : value
      const hasChanged = () => approval.hasChanged() || composition.localEffect !== 'read'
      const showsReference = async () => (await session()).reference
      const user = parts.target.user ? ` ${userWords(parts.target.user)}` : ''
      const suggest = (words: string) => followUp(words + user, flags)
      const printing = { ...parts, settings, pen: pens.stdout, showsReference, hasChanged, suggest }
      const show = () => printResult(shown, view, printing)
      const showInTime = () => timeLimit?.interrupt(show) ?? show()
      // jq blocks the event loop, so Ctrl-C must use the default handler.
      await (settings.jq === undefined ? show() : interrupts.unheard(showInTime))
    },
    write: async (bytes) => {
      const { write } = await import('../output/write.ts')
      await write(io.stdout, bytes)
    },
    done: (text) => {
      if (!flags.quiet) say('success', text)
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
  const timeLimit = flags.maxTime === undefined ? undefined : limitTime(flags.maxTime, clock, interrupts)
  if (timeLimit) closers.push(timeLimit.cancel)
  const approval = createApproval(parts)
  closers.push(approval.close)
  const ctx: Context = { ...parts, approve: approval.approve, concludeImport: approval.concludeImport }
  return {
    ctx,
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

const manual: Manual = {
  schema: async () => {
    const { programSchema } = await import('../manual/schema.ts')
    return programSchema(await manual.surface())
  },
  page: async (words) => (await import('../manual/help/pages.ts')).findPage(words),
  surface: async () => (await import('../manual/surface.ts')).readSurface(),
  completion: async (shell) => {
    const { writtenScripts } = await import('../manual/completion/written-scripts.ts')
    return (await writtenScripts)[shell]
  },
}
