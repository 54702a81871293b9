import { describeArgument, describeFlags } from '../command/flag-facts.ts'
import { globalOptions } from '../command/global-flags.ts'
import type { Surface, SurfaceCommand } from '../command/surface.ts'
import { isBranch, type Leaf, leavesOf, tree } from '../tree/tree.ts'

/** Loads every command of the tree. */
export async function readSurface(): Promise<Surface> {
  const groups = tree.map(async ({ title, nouns }) => ({
    title,
    nouns: await Promise.all(
      Object.entries(nouns).map(async ([name, node]) => ({
        name,
        summary: node.summary,
        single: !isBranch(node),
        commands: await Promise.all(leavesOf({ [name]: node }).map((command) => readCommand(...command))),
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
