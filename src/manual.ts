import type { HelpPage } from './help/document.ts'
import type { ProgramSchema } from './schema/schema.ts'
import type { Surface } from './surface/surface.ts'

/** What the program knows about itself; each part is loaded when first asked for. */
export interface Manual {
  /** The page for the words after `facescan help`; throws UsageError. */
  page(words: readonly string[]): Promise<HelpPage>
  surface(): Promise<Surface>
  schema(): Promise<ProgramSchema>
}
