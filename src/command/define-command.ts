import type { Effect } from '../contract/endpoint.ts'
import type { View } from '../output/view.ts'
import type { Ask } from './ask.ts'
import type { Context } from './context.ts'
import { userOptions } from './global-flags.ts'
import type { ArgumentRow, OptionRow, OptionValues } from './options.ts'
import type { UserNeed, Who } from './who.ts'

type ArgumentValue<Row extends ArgumentRow> = Row[0] extends `${string}...${string}`
  ? string[]
  :
      | (Row[2] extends (text: string) => infer Value ? Value : string)
      | (Row[0] extends `<${string}` ? never : undefined)

type ArgumentValues<Rows extends readonly ArgumentRow[]> = {
  [I in keyof Rows]: ArgumentValue<Rows[I]>
}

export interface CommandDefinition<
  Arguments extends readonly ArgumentRow[],
  Options extends readonly OptionRow[],
  Need extends UserNeed | undefined,
> {
  args?: Arguments
  options?: Options
  user?: Need
  /** Whether an action token does as well as a key; always so with `user: 'token'`. */
  takesToken?: boolean
  /** What it does to stored data; `read` where absent. Guard, dry run and schema go by it. */
  effect?: Effect
  /** What it prints. A command that changes something has its `--json` fields checked against it before anything is sent. */
  view?: View<never>
  /** Longer help, below the summary of the tree. */
  description?: string
  /** Shown first in the help; each runs as it stands against the sandbox. */
  examples: readonly string[]
  /** Asks a person who gave nothing to go by; resolves with the words of the command line that the answers stand for. */
  interview?(ask: Ask): Promise<string[]>
  /** Problems that concern several options at once; reported together with all others, before anything is sent. */
  check?(options: Given<Options, Need>, args: ArgumentValues<Arguments>): string[]
  run(ctx: Context, args: ArgumentValues<Arguments>, options: Given<Options, Need>): Promise<void>
}

type Given<Options extends readonly OptionRow[], Need> = OptionValues<Options> &
  (Need extends UserNeed ? Who : unknown)

/** A command as the composition root handles it, its types checked where it was defined. */
export interface Command {
  args: readonly ArgumentRow[]
  options: readonly OptionRow[]
  user: UserNeed | undefined
  takesToken: boolean
  effect: Effect
  view: View<never> | undefined
  description: string | undefined
  examples: readonly string[]
  interview: ((ask: Ask) => Promise<string[]>) | undefined
  check(options: Record<string, unknown>, args: unknown[]): string[]
  run(ctx: Context, args: unknown[], options: Record<string, unknown>): Promise<void>
}

export function defineCommand<
  const Arguments extends readonly ArgumentRow[] = [],
  const Options extends readonly OptionRow[] = [],
  Need extends UserNeed | undefined = undefined,
>(definition: CommandDefinition<Arguments, Options, Need>): Command {
  return {
    args: definition.args ?? [],
    options: [...(definition.user ? userOptions : []), ...(definition.options ?? [])],
    user: definition.user,
    takesToken: definition.takesToken ?? definition.user === 'token',
    effect: definition.effect ?? 'read',
    view: definition.view,
    description: definition.description,
    examples: definition.examples,
    interview: definition.interview,
    check: (options, args) => definition.check?.(options as never, args as never) ?? [],
    run: (ctx, args, options) => definition.run(ctx, args as never, options as never),
  }
}
