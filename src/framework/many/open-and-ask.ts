import { UsageError } from '../../base/errors.ts'
import type { Setting } from '../../bulk/questions.ts'
import type { Context } from '../context.ts'
import type { Closable, Opening } from './ask-about-file.ts'

/** Opens and checks a file. On a terminal, prompts for settings until the file can be read. Then offers to save these settings. */
export async function openAndAsk<FileSetting extends Setting, Opened extends Closable>(
  ctx: Context,
  opening: Opening<FileSetting, Opened>,
): Promise<Opened> {
  const { setting, saveMapping: path } = opening
  if (opening.step === 'last') return (await import('./ask-about-file.ts')).askUntilOpened(ctx, opening)
  try {
    const opened = await opening.open(setting, ctx.line)
    if (path !== undefined && !opening.hasNext?.(opened))
      (await import('./mapping-file.ts')).saveOrNote(ctx, path, setting)
    return opened
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { askUntilOpened } = await import('./ask-about-file.ts')
    return askUntilOpened(ctx, opening, error)
  }
}
