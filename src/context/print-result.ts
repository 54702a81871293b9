import { UsageError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { print } from '../output/print.ts'
import type { OutputSettings } from '../output/settings.ts'
import type { Pen, View } from '../output/view.ts'

export interface Printing {
  settings: OutputSettings
  io: Io
  /** That of stdout. */
  pen: Pen
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
  const { settings, io, pen } = printing
  try {
    await print(value, view, settings, { io, pen })
  } catch (error) {
    if (!(error instanceof UsageError) || !(await hasChanged(printing))) throw error
    printing.warn(`${error.message}; the change is made, so its whole result is shown instead`)
    await print(value, view, { ...settings, fields: undefined, jq: undefined }, { io, pen })
  }
}

async function hasChanged({ command, hasChanged }: Printing): Promise<boolean> {
  if (hasChanged()) return true
  const { outputs } = await import('../commands/outputs.ts')
  return (outputs[command]?.localEffect ?? 'read') !== 'read'
}
