import type { HelpPage } from '../output/page.ts'
import type { ProgramSchema } from './program-schema.ts'
import type { Shell } from './shells.ts'
import type { Surface } from './surface.ts'

/** The program's description of itself. Each part is loaded on the first call. */
export interface Manual {
  /** The page for the arguments of `facescan help`. Throws UsageError. */
  page(words: readonly string[]): Promise<HelpPage>
  surface(): Promise<Surface>
  schema(): Promise<ProgramSchema>
  /** The completion script for one shell. */
  completion(shell: Shell): Promise<string>
}
