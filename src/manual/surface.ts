import { exitCodesOf } from '../command/command-exit-codes.ts'
import type { Command } from '../command/define-command.ts'
import { describeArgument, describeFlags } from '../command/flag-facts.ts'
import { globalOptions } from '../command/global-flags.ts'
import type { Surface, SurfaceCommand } from '../command/surface.ts'
import { machineColumns } from '../output/cell.ts'
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
  const { description, examples, effect, localEffect, user, takesToken, calls, schema } = command
  return {
    name,
    summary,
    description,
    examples,
    effect,
    localEffect,
    credentials: calls.length === 0 ? [] : takesToken ? ['key', 'token'] : ['key'],
    exitCodes: exitCodesOf(command),
    user,
    takesToken,
    schema,
    fields: fieldsOf(command),
    arguments: command.args.map(describeArgument),
    flags: describeFlags(command.options).filter(({ long }) => user !== 'external' || long !== '--user-id'),
  }
}

function fieldsOf({ view }: Command): string[] {
  const data = view?.kind === 'drawn' ? view.data : view
  return data && 'columns' in data ? machineColumns(data.columns).map(({ key }) => key) : []
}
