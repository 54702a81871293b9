import type { HelpPage } from '../output/page.ts'
import type { ProgramSchema } from './program-schema.ts'

/** Descriptions of the program. Each part is loaded on first use. */
export interface Manual {
  /** The page for the arguments of `facescan help`. Throws UsageError for unknown words. */
  page(words: readonly string[]): Promise<HelpPage>
  schema(): Promise<ProgramSchema>
}

/** Help topics in the order of the help. `topics.ts` contains a page for each topic. */
export const topicNames = [
  'commands',
  'environment',
  'exit-codes',
  'flags',
  'formats',
  'import',
  'many-users',
  'profiles',
] as const

export type TopicName = (typeof topicNames)[number]

export function isTopic(word: string): word is TopicName {
  return (topicNames as readonly string[]).includes(word)
}
