import { UsageError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { print, remarkOn } from '../output/print.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen, View } from '../output/view.ts'

export interface Printing {
  settings: OutputSettings
  io: Io
  /** Pen for stdout. */
  pen: Pen
  /** Whether the profile shows this tool's reference values. */
  showsReference(): Promise<boolean>
  warn(text: string): void
  note(text: string): void
  /** A suggested command for the user of the command. */
  suggest(words: string): string
  /** Whether the command changed something, at the service or on this machine. */
  hasChanged(): boolean
}

/**
 * Prints the result of a command. If fields or a filter do not fit the result, a command that only reads fails. A command that
 * has changed something prints the complete result and succeeds, because the change cannot be undone.
 */
export async function printResult<T>(value: T, view: View<T>, printing: Printing): Promise<void> {
  const { settings, io } = printing
  const pen = await choosePen(view, printing)
  try {
    await print(value, view, settings, { io, pen })
    const remark = settings.format === 'table' ? remarkOn(value, view, printing.suggest) : undefined
    if (remark !== undefined) printing.note(remark)
  } catch (error) {
    if (!(error instanceof UsageError) || !printing.hasChanged()) throw error
    printing.warn(`${error.message}; the change was made, so the complete result is shown`)
    await print(value, view, { ...settings, fields: undefined, jq: undefined }, { io, pen })
  }
}

/** Only views of health data need the session, which other commands may not have. */
async function choosePen(view: View<never>, { pen, showsReference }: Printing): Promise<Pen> {
  const isNeeded = view.kind !== 'scalar' && view.reference === true && pen.terminal
  return isNeeded ? { ...pen, reference: await showsReference() } : pen
}
