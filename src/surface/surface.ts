import type { Command, UserNeed } from '../command.ts'
import { globalOptions } from '../flags.ts'
import { isBranch, type Leaf, tree } from '../tree.ts'
import { type ArgumentFacts, describeArgument, describeFlags, type FlagFacts } from './flag.ts'

/** Everything the program offers, as plain data: man pages, completion, schema and the committed snapshot follow from it. */
export interface Surface {
  groups: readonly SurfaceGroup[]
  globalFlags: readonly FlagFacts[]
}

export interface SurfaceGroup {
  title: string
  nouns: readonly SurfaceNoun[]
}

/** A noun with verbs, or a command that is a single word; then `commands` holds just that one. */
export interface SurfaceNoun {
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
  effect: Command['effect']
  user: UserNeed | undefined
  takesToken: boolean
  arguments: readonly ArgumentFacts[]
  flags: readonly FlagFacts[]
}

/** Loads every command of the tree. */
export async function readSurface(): Promise<Surface> {
  const groups = tree.map(async ({ title, nouns }) => ({
    title,
    nouns: await Promise.all(
      Object.entries(nouns).map(async ([name, node]) => ({
        name,
        summary: node.summary,
        single: !isBranch(node),
        commands: isBranch(node)
          ? await Promise.all(
              Object.entries(node.verbs).map(([verb, leaf]) => readCommand(`${name} ${verb}`, leaf)),
            )
          : [await readCommand(name, node)],
      })),
    ),
  }))
  return { groups: await Promise.all(groups), globalFlags: describeFlags(globalOptions) }
}

async function readCommand(name: string, { summary, load }: Leaf): Promise<SurfaceCommand> {
  const { default: command } = await load()
  const { description, examples, effect, user, takesToken } = command
  return {
    name,
    summary,
    description,
    examples,
    effect,
    user,
    takesToken,
    arguments: command.args.map(describeArgument),
    flags: describeFlags(command.options).filter(({ long }) => user !== 'external' || long !== '--user-id'),
  }
}

export function allCommands({ groups }: Surface): SurfaceCommand[] {
  return groups.flatMap(({ nouns }) => nouns.flatMap(({ commands }) => commands))
}
