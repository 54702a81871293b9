import { UsageError } from '../base/errors.ts'
import { followUp } from '../command/follow-up.ts'
import { userWords } from '../command/user.ts'
import { print, remarkOn } from '../output/print.ts'
import type { Pen, View } from '../output/view.ts'
import type { Composition, LocalContext } from './composition.ts'
import type { TimeLimit } from './interrupts.ts'

interface Printing {
  composition: Composition
  local: LocalContext
  timeLimit: TimeLimit | undefined
  hasChanged(): boolean
}

export async function printResult<T>(value: T, view: View<T>, printing: Printing): Promise<void> {
  const { composition, timeLimit } = printing
  const { pseudonyms, interrupts } = composition.outside
  const shown = pseudonyms ? pseudonyms.value(value) : value
  const show = () => printOrFallBack(shown, view, printing)
  if (composition.settings.jq === undefined) return show()
  // jq blocks the event loop, so Ctrl-C must use the default handler.
  await interrupts.withDefaultSignals(() => (timeLimit ? timeLimit.interrupt(show) : show()))
}

/**
 * If fields or a filter do not fit the result, a command that only reads fails. A command that has changed something prints the
 * complete result and succeeds, because the change cannot be undone.
 */
async function printOrFallBack<T>(value: T, view: View<T>, printing: Printing): Promise<void> {
  const { composition, local, hasChanged } = printing
  const { settings, flags, command } = composition
  const { io, target } = local
  const pen = await choosePen(view, printing)
  const user = target.user ? ` ${userWords(target.user)}` : ''
  try {
    await print(value, view, settings, { io, pen })
    const remark = remarkOn(value, view, (words) => followUp(words + user, flags))
    if (settings.format === 'table' && remark !== undefined) local.note(remark)
  } catch (error) {
    if (!(error instanceof UsageError) || !(hasChanged() || command.localEffect !== 'read')) throw error
    local.warn(`${error.message}; the change was made, so the complete result is shown`)
    await print(value, view, { ...settings, fields: undefined, jq: undefined }, { io, pen })
  }
}

/** Only views of health data need the session. Other commands may not have one. */
async function choosePen(view: View<never>, { composition, local }: Printing): Promise<Pen> {
  const pen = composition.pens.stdout
  const isNeeded = view.reference === true && pen.terminal
  return isNeeded ? { ...pen, reference: (await local.session()).reference } : pen
}
