import { UsageError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { print } from '../output/print.ts'
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
  /** The words of the command, such as `users create`. */
  command: string
  /** Whether the service took a change. */
  hasChanged(): boolean
}

/**
 * Prints what a command did. Where fields or a filter do not fit it, a command that only reads fails; one that has changed
 * something cannot take that back, so it shows the whole result and succeeds.
 */
export async function printResult<T>(value: T, view: View<T>, printing: Printing): Promise<void> {
  const { settings, io } = printing
  const pen = await choosePen(view, printing)
  try {
    await print(value, view, settings, { io, pen })
  } catch (error) {
    if (!(error instanceof UsageError) || !(await hasChanged(printing))) throw error
    printing.warn(`${error.message}; the change is made, so its whole result is shown instead`)
    await print(value, view, { ...settings, fields: undefined, jq: undefined }, { io, pen })
  }
}

/** Only views of health data need the session, which other commands may not have. */
async function choosePen(view: View<never>, { pen, showsReference }: Printing): Promise<Pen> {
  const isNeeded = view.kind !== 'scalar' && view.reference === true && pen.terminal
  return isNeeded ? { ...pen, reference: await showsReference() } : pen
}

async function hasChanged({ command, hasChanged }: Printing): Promise<boolean> {
  if (hasChanged()) return true
  const { outputs } = await import('../commands/outputs.ts')
  return (outputs[command]?.localEffect ?? 'read') !== 'read'
}
