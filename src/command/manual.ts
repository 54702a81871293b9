import type * as z from 'zod/mini'
import type { HelpPage } from '../output/page.ts'
import type { CommandSchema, FlagFacts, ProgramSchema } from './program-schema.ts'
import type { Shell } from './shells.ts'

/** The program's description of itself. Each part is loaded on the first call. */
export interface Manual {
  /** The page for the arguments of `facescan help`. Throws UsageError. */
  page(words: readonly string[]): Promise<HelpPage>
  schema(): Promise<ProgramSchema>
  /** The completion script for one shell. */
  completion(shell: Shell): Promise<string>
}

/** In the order of the help. `topics.ts` contains a page for each topic. */
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

/** The public surface of the program. Man pages, completion, the schema, and test/surface.json are derived from it. */
export interface Surface {
  nouns: readonly SurfaceNoun[]
  commands: readonly SurfaceCommand[]
  globalFlags: readonly FlagFacts[]
}

/** A noun with its commands. A command of one word is a noun with one command. */
interface SurfaceNoun {
  name: string
  summary: string
  single: boolean
  commands: readonly SurfaceCommand[]
}

export interface SurfaceCommand extends Omit<CommandSchema, 'command' | 'output'> {
  /** `users create` */
  name: string
  takesToken: boolean
  /** Fields that `--json=` can select; empty if the result is a single value. */
  fields: readonly string[]
  /** The schema of what `--json` prints. */
  schema(): Promise<z.core.$ZodType>
}
