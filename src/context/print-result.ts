import { UsageError } from '../base/errors.ts'
import { nameUser, userWords } from '../framework/user.ts'
import { followUp } from '../output/hint.ts'
import { print, remarkOn } from '../output/print.ts'
import { isForPeople } from '../output/settings.ts'
import type { AnyView, Pen } from '../output/view.ts'
import type { LocalContext } from './composition.ts'
import type { TimeLimit } from './interrupts.ts'

interface Conditions {
  timeLimit: TimeLimit | undefined
  hasChanged(): boolean
}

export async function printResult<T>(
  ctx: LocalContext,
  value: T,
  view: AnyView<T>,
  { timeLimit, hasChanged }: Conditions,
): Promise<void> {
  const { outside, command } = ctx.composition
  const show = () => printOrFallBack(ctx, value, view, () => hasChanged() || command.localEffect !== 'read')
  if (ctx.settings.jq === undefined) return show()
  // jq blocks the event loop, so Ctrl-C must use the default handler.
  await outside.interrupts.withDefaultSignals(() => (timeLimit ? timeLimit.interrupt(show) : show()))
}

/**
 * If fields or a filter do not fit the result, a command that only reads fails. A command that has changed something prints the
 * complete result and succeeds, because the change cannot be undone.
 */
async function printOrFallBack<T>(
  ctx: LocalContext,
  value: T,
  view: AnyView<T>,
  hasChanged: () => boolean,
): Promise<void> {
  const { io, settings } = ctx
  const pen = await choosePen(ctx, view)
  const user = ctx.target.user && nameUser(ctx.target.user)
  try {
    await print(value, view, settings, { io, pen, user })
    if (isForPeople(settings)) await noteIfEmpty(ctx, value, view)
  } catch (error) {
    if (!(error instanceof UsageError) || !hasChanged()) throw error
    ctx.warn(`${error.message}; the change was made, so the complete result is shown`)
    await print(value, view, { ...settings, fields: undefined, jq: undefined }, { io, pen, user })
  }
}

/** Only notes with next steps need the session. Other commands may not have one. */
async function noteIfEmpty<T>(ctx: LocalContext, value: T, view: AnyView<T>): Promise<void> {
  const user = ctx.target.user ? ` ${userWords(ctx.target.user)}` : ''
  const command = (words: string) => followUp(words + user, ctx.flags)
  const hasNextSteps = 'rows' in view && typeof view.empty === 'function'
  const isSandbox = hasNextSteps && (await ctx.session()).environment === 'sandbox'
  const remark = remarkOn(value, view, { command, isSandbox })
  if (remark !== undefined) ctx.note(remark)
}

/** Only views of health data need the session. Other commands may not have one. */
async function choosePen(ctx: LocalContext, view: AnyView<never>): Promise<Pen> {
  const pen = ctx.pen('stdout')
  const isNeeded = view.reference === true && pen.terminal
  return isNeeded ? { ...pen, reference: (await ctx.session()).reference } : pen
}
