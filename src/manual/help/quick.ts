import type { Environment } from '../../base/io.ts'
import { createPen, type PenOptions } from '../../output/pen.ts'
import { renderPage } from '../../output/render-page.ts'
import { writtenPages } from './written-pages.ts'

/**
 * What a plain call for help prints: no words at all, or the words of a command and `--help`. Undefined for any other command
 * line, which has to be looked at with care.
 */
export async function quickHelp(
  argv: readonly string[],
  stream: PenOptions['stream'],
  env: Environment,
): Promise<string | undefined> {
  const words = argv.filter((word) => word !== '--help' && word !== '-h')
  if (words.length === argv.length && argv.length > 0) return undefined
  const pages = await writtenPages
  const name = words.join(' ')
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  if (page === undefined) return undefined
  const pen = await createPen({ stream, env, color: 'auto', now: () => 0 })
  return `${renderPage(JSON.parse(page), pen)}\n`
}
