import type * as z from 'zod'
import type { Credential, Effect } from '../contract/endpoint.ts'
import type { ArgumentFacts, FlagFacts } from './flag-facts.ts'
import type { UserNeed } from './user.ts'

/** Everything the program offers, as plain data: man pages, completion, schema and the committed snapshot follow from it. */
export interface Surface {
  groups: readonly SurfaceGroup[]
  globalFlags: readonly FlagFacts[]
}

interface SurfaceGroup {
  title: string
  nouns: readonly SurfaceNoun[]
}

/** A noun with verbs, or a command that is a single word; then `commands` holds just that one. */
interface SurfaceNoun {
  name: string
  summary: string
  single: boolean
  commands: readonly SurfaceCommand[]
}

export interface SurfaceCommand {
  /** `users create` */
  name: string
  summary: string
  description: string | undefined
  examples: readonly string[]
  effect: Effect
  localEffect: Effect
  /** Empty for a command that sends nothing to the service. */
  credentials: readonly Credential[]
  exitCodes: readonly number[]
  user: UserNeed | undefined
  takesToken: boolean
  arguments: readonly ArgumentFacts[]
  flags: readonly FlagFacts[]
  /** The schema of what `--json` prints. */
  schema(): Promise<z.core.$ZodType>
}

export function allCommands({ groups }: Surface): SurfaceCommand[] {
  return groups.flatMap(({ nouns }) => nouns.flatMap(({ commands }) => commands))
}
