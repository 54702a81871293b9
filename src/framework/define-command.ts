import type * as z from 'zod/mini'
import type { ErrorCode } from '../base/errors.ts'
import type { Unchanged } from '../base/json.ts'
import type { Effect } from '../contract/endpoint.ts'
import type { EffectsOf, EndpointName, ReplyOf } from '../contract/index.ts'
import type { AnyView, ItemsView, ListView, RecordView, ScalarView } from '../output/view.ts'
import type { Choice } from './ask.ts'
import type { alreadyPrinted, CommandResult } from './command-result.ts'
import type { Context } from './context.ts'
import type { ManySupport } from './many/options.ts'
import type { Arguments, KnownConflicts, Options, OptionValues } from './options.ts'
import { type UserId, type UserNeed, type UserOf, userOptions } from './user.ts'

/** The endpoint whose response is the result, or the schema of the result. A function loads the schema, because help does not load zod. */
type OutputSpec = EndpointName | (() => Promise<z.core.$ZodType>)

/** The type of the result. Its fields are read-only, so that a command can also return a read-only value. */
type ResultOf<Output> = Output extends EndpointName
  ? Unchanged<ReplyOf<Output>>
  : Output extends () => Promise<infer Schema extends z.core.$ZodType>
    ? Unchanged<z.output<Schema>>
    : never

/** The type of the view. If a command has several kinds of results, each `CommandResult` contains its own view. */
type ViewOf<Result, Row> = Result extends readonly (infer Item)[]
  ? ItemsView<Item>
  : ListView<Result, Row> | ((RecordView<Result> | ScalarView<Result>) & { rows?: never })

type RecordViewOf<Result> = Result extends unknown ? RecordView<Result> : never

/**
 * Return value of `run`: a value that the view can show, a `CommandResult`, or `alreadyPrinted`. The type parameter names the output type,
 * so that a compiler error shows the name of the endpoint instead of all fields of its response.
 */
type ReturnOf<Output> = ResultOf<Output> | CommandResult<ResultOf<Output>> | typeof alreadyPrinted

type Worst<E extends Effect> = 'destroy' extends E ? 'destroy' : 'change' extends E ? 'change' : 'read'

type CalledEffect<Output, Calls> = Calls extends 'any'
  ? 'destroy'
  : Calls extends readonly EndpointName[]
    ? Worst<EffectsOf<Calls[number]>>
    : Output extends EndpointName
      ? Worst<EffectsOf<Output>>
      : 'read'

/** If `effect` is not the most harmful effect of the called endpoints, the type is a text that the compiler shows. */
type Examples<Called extends Effect, Stated> = [Stated] extends [Called]
  ? readonly string[]
  : [Called, Stated] extends ['read', undefined]
    ? readonly string[]
    : `effect must be "${Called}", as for the called endpoints`

/** Input of `run`: the arguments and options by their keys, and the user. */
type CommandInput<Args, Opts, Need> = OptionValues<Args> &
  OptionValues<Opts> &
  (Need extends UserNeed ? { user: UserOf<Need> } : unknown)

/** The prompt for an argument that the command line does not contain. */
interface ArgumentPrompt<Value> {
  /** Offered values. If this function is omitted, the user can enter any text. */
  choices?(ctx: Context): Promise<readonly Choice<string>[]>
  /**
   * Throws UsageError or ConfigurationError if the answer is invalid. A value on the command line is checked before the first prompt, so
   * that its error does not discard what the user typed at prompts.
   */
  check?(ctx: Context, answer: Value): Promise<void>
  /**
   * Reads the current values of the options of an argument, by key. The prompts show these values, and Enter keeps them. If the argument is
   * on the command line, this function replaces `check`.
   */
  current?(ctx: Context, answer: Value): Promise<CurrentValues>
}

export type CurrentValues = Readonly<Record<string, string | null | undefined>>

type ArgumentPrompts<Key extends string> = {
  readonly [Name in Key]?: ArgumentPrompt<Name extends 'user' ? UserId : string>
}

/** Optional fields of a definition. Each command has all of these fields after the defaults were applied. */
interface CommandFacts {
  /** Whether the command accepts an action token (default: true if `user` is `token`). */
  takesToken: boolean
  /** Effect on files and keys on this machine (default: read). */
  localEffect: Effect
  /** Error codes that do not follow from `calls` and `localEffect`. */
  failures: readonly ErrorCode[]
  description: string | undefined
  /**
   * The error if no flag is set, or only flags that select the user. On a terminal, there is no error: the command prompts for the optional
   * flags, and Enter keeps the current values.
   */
  needsFlag: string | undefined
  /** Corrects arguments that are in a wrong order or belong to another command. Returns undefined for other arguments. */
  moved: ((operands: readonly string[]) => readonly string[] | Replacement | undefined) | undefined
}

/** The words of a command to use instead, without `facescan`, and the reason why the given command cannot be used. */
export interface Replacement {
  reason: string
  words: readonly string[]
}

/**
 * Ways to show a result:
 *
 * | View                        | Result                                                                           |
 * | --------------------------- | -------------------------------------------------------------------------------- |
 * | `{ columns }`               | a record                                                                         |
 * | `{ columns, empty }`        | a list of records; `rows` selects the list if the result contains it             |
 * | `{ text }`                  | a single value                                                                   |
 * | `commandResult(value, { view })` | `run` chooses the view, because it depends on the flags or on the kind of result |
 * | `alreadyPrinted`            | `run` wrote a stream or an image and returns this value                          |
 * | `many.view`                 | one row per user, with `--users` (default: `view`, also if `run` chooses a view) |
 *
 * The key of a column is a field of its row, or the column defines `value`. Other columns do not compile.
 */
interface CommandDefinition<
  Args extends Arguments,
  Opts extends Options,
  Need extends UserNeed | undefined,
  Output extends OutputSpec,
  Calls extends readonly EndpointName[] | 'any' | undefined,
  Row,
  Stated extends Effect | undefined,
> extends Partial<CommandFacts> {
  args?: Args
  options?: Opts & KnownConflicts<Opts>
  /** Choices and checks for the prompts that ask for the user and the arguments, by key. */
  prompts?: ArgumentPrompts<NoInfer<(keyof Args & string) | 'user'>>
  /** The kinds of user ID that the command accepts. `run` receives the user as `input.user`. */
  user?: Need
  /** The type of the result. JSON Schema and exit codes are derived from this field. */
  output: Output
  /** Endpoints that the command calls (default: the endpoint that `output` names). */
  calls?: Calls
  /** The most harmful effect of the called endpoints (default: read). It is repeated here, because help does not load the contract. */
  effect?: Stated
  view: ViewOf<ResultOf<Output>, Row>
  /** Set if the command can run for a list of users (`--users FILE`). */
  many?: ManySupport<RecordViewOf<ResultOf<Output>>, NoInfer<keyof Opts & string>>
  /** Shown in the help and run by the tests. In the tests, user 4711 exists, unless `user` is `new`. */
  examples: Examples<CalledEffect<Output, Calls>, Stated>
  /** Maximum number of open connections to the service (default 1). */
  connections?(input: CommandInput<Args, Opts, Need>): number
  /** Returns error messages if options cannot be combined. All errors in the command line are reported together before anything is sent. */
  check?(input: CommandInput<Args, Opts, Need>): string[]
  run(ctx: Context, input: CommandInput<Args, Opts, Need>): Promise<ReturnOf<Output>>
}

export interface Command extends CommandFacts {
  /** Arguments by key. The user comes first if the command has a user. */
  args: Arguments
  /** Options of the command. `withListFlags` adds the flags for lists. */
  options: Options
  prompts: { readonly [key: string]: ArgumentPrompt<unknown> | undefined }
  user: UserNeed | undefined
  calls: readonly EndpointName[] | 'any'
  effect: Effect
  view: AnyView<never>
  many: ManySupport | undefined
  examples: readonly string[]
  schema(): Promise<z.core.$ZodType>
  resultSchema(): Promise<z.core.$ZodType>
  connections: ((input: Record<string, unknown>) => number) | undefined
  check: ((input: Record<string, unknown>) => string[]) | undefined
  run(ctx: Context, input: Record<string, unknown>): Promise<unknown>
}

export function defineCommand<
  const Output extends OutputSpec,
  Args extends Arguments = Record<never, never>,
  Opts extends Options = Record<never, never>,
  Need extends UserNeed | undefined = undefined,
  const Calls extends readonly EndpointName[] | 'any' | undefined = undefined,
  Row = never,
  const Stated extends Effect | undefined = undefined,
>(definition: CommandDefinition<Args, Opts, Need, Output, Calls, Row, Stated>): Command {
  const { user, args, options, output, many, failures = [], view } = definition
  return {
    args: args ?? {},
    options: { ...userOptions(user), ...options },
    user,
    takesToken: definition.takesToken ?? user === 'token',
    calls: definition.calls ?? (typeof output === 'string' ? [output] : []),
    effect: definition.effect ?? 'read',
    localEffect: definition.localEffect ?? 'read',
    failures: many ? [...failures, 'list_failed', 'list_stopped'] : failures,
    view: 'empty' in view ? { rows: (items: readonly unknown[]) => items, ...view } : view,
    many,
    description: definition.description,
    examples: definition.examples as readonly string[],
    prompts: definition.prompts ?? {},
    needsFlag: definition.needsFlag,
    moved: definition.moved,
    schema: () => schemaOf(output, many),
    resultSchema: () => schemaOf(output),
    connections: definition.connections as Command['connections'],
    check: definition.check as Command['check'],
    run: definition.run as Command['run'],
  }
}

async function schemaOf(output: OutputSpec, many?: Pick<ManySupport, 'change'>): Promise<z.core.$ZodType> {
  const schema =
    typeof output === 'string' ? (await import('../contract/index.ts')).replySchema(output) : await output()
  if (many === undefined) return schema
  const { withListOutput } = await import('./many/list-schema.ts')
  return withListOutput(schema, many.change !== undefined)
}
