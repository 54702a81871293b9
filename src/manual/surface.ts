import type { Command } from '../command/define-command.ts'
import { exitCodesOf } from '../command/exit-codes.ts'
import { globalOptions } from '../command/global-flags.ts'
import type { Surface, SurfaceCommand } from '../command/manual.ts'
import { describeArgument, describeFlags } from '../command/options.ts'
import { machineColumns } from '../output/cell.ts'
import { allNouns, isBranch, type Leaf, leavesOf } from '../tree/tree.ts'

/** Loads every command of the tree. */
export async function readSurface(): Promise<Surface> {
  const nouns = await Promise.all(
    Object.entries(allNouns()).map(async ([name, node]) => ({
      name,
      summary: node.summary,
      single: !isBranch(node),
      commands: await Promise.all(leavesOf({ [name]: node }).map((command) => readCommand(...command))),
    })),
  )
  const commands = nouns.flatMap((noun) => noun.commands)
  return { nouns, commands, globalFlags: describeFlags(globalOptions) }
}

async function readCommand(name: string, { summary, load }: Leaf): Promise<SurfaceCommand> {
  const { default: command } = await load()
  const { description, examples, effect, localEffect, user, takesToken, calls, schema } = command
  return {
    name,
    summary,
    description: description ?? null,
    effect,
    local_effect: localEffect,
    credentials: calls.length === 0 ? [] : takesToken ? ['key', 'token'] : ['key'],
    user: user ?? null,
    arguments: command.args.map(describeArgument),
    flags: describeFlags(command.options).filter(({ long }) => user !== 'external' || long !== '--user-id'),
    examples,
    exit_codes: exitCodesOf(command),
    takesToken,
    schema,
    fields: fieldsOf(command),
  }
}

function fieldsOf({ view }: Command): string[] {
  const data = view?.kind === 'drawn' ? view.data : view
  return data && 'columns' in data ? machineColumns(data.columns).map(({ key }) => key) : []
}
