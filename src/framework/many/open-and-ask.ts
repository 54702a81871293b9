import { UsageError } from '../../base/errors.ts'
import type { Setting } from '../../bulk/questions.ts'
import type { Effect } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { Closable } from './ask-about-file.ts'

interface OpenedFile<Opened> {
  file: string
  /** Path for the settings (--save-mapping). */
  saveMapping?: string | undefined
  effect: Effect
  /** Set if an earlier step read the same file and its prompts were answered. */
  step?: 'last' | undefined
  /**
   * Whether another step reads the same file. Only the last step shows the command with all answers, and offers to save all answers.
   */
  hasNext?(opened: Opened): boolean
}

/**
 * Opens and checks a file. On a terminal, prompts for settings until the file can be read. Then offers to save these settings. `show`
 * prints rows as they would be sent. `open` receives the settings, and the command line with their flags.
 */
export async function openAndAsk<FileSetting extends Setting, Opened extends Closable>(
  ctx: Context,
  source: OpenedFile<Opened>,
  setting: FileSetting,
  open: (setting: FileSetting, line: string) => Promise<Opened>,
  show: (opened: Opened) => unknown,
): Promise<Opened> {
  const opening = { ...source, setting, open, show }
  if (source.step === 'last') return (await import('./ask-about-file.ts')).askAgain(ctx, opening)
  try {
    const opened = await open(setting, ctx.line)
    const { saveMapping: path, hasNext } = source
    if (path !== undefined && !hasNext?.(opened))
      (await import('./mapping-file.ts')).saveMapping(path, setting)
    return opened
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { askUntilOpened } = await import('./ask-about-file.ts')
    return askUntilOpened(ctx, opening, error)
  }
}
