import { UsageError } from '../../base/errors.ts'
import type { Setting } from '../../bulk/questions.ts'
import type { Effect } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { Closable } from './ask-about-file.ts'

interface OpenedFile {
  file: string
  /** Path for the settings (--save-mapping). */
  saveMapping?: string | undefined
  effect: Effect
  /**
   * Set if two steps read the same file and prompts of the first step were answered. Only the last step shows the command with all
   * answers, and offers to save all answers.
   */
  step?: 'first' | 'last' | undefined
}

/**
 * Opens and checks a file. On a terminal, prompts for settings until the file can be read. Then offers to save these settings. `show`
 * prints rows as they would be sent. `open` receives the settings, and the command line with their flags.
 */
export async function openAndAsk<FileSetting extends Setting, Opened extends Closable>(
  ctx: Context,
  source: OpenedFile,
  setting: FileSetting,
  open: (setting: FileSetting, line: string) => Promise<Opened>,
  show: (opened: Opened) => unknown,
): Promise<Opened> {
  const opening = { ...source, setting, open, show }
  if (source.step === 'last') return (await import('./ask-about-file.ts')).askAgain(ctx, opening)
  try {
    const opened = await open(setting, ctx.line)
    const { saveMapping: path } = source
    if (path !== undefined) (await import('./mapping-file.ts')).saveMapping(path, setting)
    return opened
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { askUntilOpened } = await import('./ask-about-file.ts')
    return askUntilOpened(ctx, opening, error)
  }
}
