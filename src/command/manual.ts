import type { HelpPage } from '../output/page.ts'
import type { ProgramSchema } from './program-schema.ts'
import type { Shell } from './shells.ts'
import type { Surface } from './surface.ts'

/** What the program knows about itself; each part is loaded when first asked for. */
export interface Manual {
  /** The page for the words after `facescan help`; throws UsageError. */
  page(words: readonly string[]): Promise<HelpPage>
  surface(): Promise<Surface>
  schema(): Promise<ProgramSchema>
  /** The completion script for one shell. */
  completion(shell: Shell): Promise<string>
}
