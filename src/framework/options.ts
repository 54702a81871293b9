import { UsageError } from '../base/errors.ts'

export interface Parser<Value> {
  (text: string): Value
  readonly choices?: readonly string[]
  /** Names of choices in a prompt (default: the choices themselves). */
  readonly names?: { readonly [choice: string]: string | undefined }
}

interface FlagSettings {
  /** Values for the help, prompts, and completion if the parser also accepts other values and therefore has no `choices`. */
  choices?: readonly string[]
  /** Whether a prompt asks for this optional flag if the command line contains only global flags. */
  isPrompted?: boolean
  /** Values that a prompt offers. The user can also enter a value that is not offered. */
  suggestions?(): readonly string[]
  required?: boolean
  /** Text in parentheses after the summary, such as `default: detected`. */
  remark?: string
  /** Default value as text, shown in the help and parsed like a value of the command line. */
  default?: string
  /** Default value that only the help shows, for a command that must notice that the flag is omitted. */
  usual?: string
  /** Whether the flag can be repeated. If the flag has `choices`, its value can also be a list of choices with commas between them. */
  many?: boolean
  column?: string
  /** Whether a repeated flag is an error. If only its last value counted, it could select an unexpected user or service. */
  once?: boolean
  conflicts?: string
  /** Whether the flag is accepted but not documented. */
  isHidden?: boolean
}

/** A flag. Its value in `input` has the same key as the flag in `options`. */
export interface Flag<Value = unknown, Conflicts = string | undefined> extends FlagSettings {
  readonly kind: 'toggle' | 'negation' | 'value' | 'optional value'
  /** Pattern of the flag, such as `-p, --profile <profile>`. */
  readonly pattern: string
  readonly short: string | undefined
  /** Name with dashes: `--profile`. */
  readonly long: string
  readonly placeholder: string | undefined
  readonly summary: string
  readonly parse: Parser<unknown>
  readonly conflicts?: string & Conflicts
  /** Used only by the compiler, for the type of the value. Undefined at run time. */
  readonly type?: () => Value
}

export type Options = Readonly<Record<string, Flag>>

export type OptionValues<List> = {
  -readonly [Key in keyof List]: List[Key] extends { type?: () => infer Value } ? Value : never
}

/** A flag can conflict only with another flag of its command. The compiler error names an unknown flag. */
export type KnownConflicts<List> = {
  readonly [Key in keyof List]: List[Key] extends Flag<unknown, infer Other>
    ? [Other] extends [keyof List | undefined]
      ? unknown
      : `conflicts: the command has no option "${Other & string}"`
    : unknown
}

type FlagValue<Value, Settings> = Settings extends { many: true }
  ? Value[]
  : Settings extends { required: true } | { default: string }
    ? Value
    : Value | undefined

type ConflictOf<Settings> = Settings extends { conflicts: infer Other } ? Other : never

function createFlag(
  pattern: string,
  summary: string,
  parse: Parser<unknown> = String,
  settings: FlagSettings = {},
): Flag<never, never> {
  const [, short, long = '', bracket, placeholder] =
    /^(?:(-\w), )?(--[\w-]+)(?: ([<[])([^>\]]+)[>\]])?$/.exec(pattern) ?? []
  const kind = bracket === undefined ? 'toggle' : bracket === '[' ? 'optional value' : 'value'
  return { kind, pattern, short, long, placeholder, summary, parse, ...(settings as object) }
}

/** Creates a flag: `flag('--count <n>', 'number of scans', integer, { default: '1' })`. */
export const flag: <Value = string, const Settings extends FlagSettings = object>(
  pattern: `${string} <${string}>`,
  summary: string,
  parse?: Parser<Value>,
  settings?: Settings,
) => Flag<NoInfer<FlagValue<Value, Settings>>, ConflictOf<NoInfer<Settings>>> = createFlag

/** Creates a flag that has no value, such as `--replace`. */
export const toggle: (pattern: string, summary: string) => Flag<boolean, never> = createFlag

/** A flag whose value is false if it is set, such as `header: negation('--no-header', …)`. */
export function negation(pattern: string, summary: string): Flag<boolean, never> {
  return { ...createFlag(pattern, summary), kind: 'negation' }
}

/** A flag with an optional value: `--json` or `--json=fields` for the pattern `--json [fields]`. No value is an empty text for `parse`. */
export const optionalValue: <Value = string, const Settings extends Omit<FlagSettings, 'conflicts'> = object>(
  pattern: `${string} [${string}]`,
  summary: string,
  parse?: Parser<Value>,
  settings?: Settings,
) => Flag<NoInfer<FlagValue<Value, Settings>>, never> = createFlag

export interface Argument<Value = unknown> extends ArgumentSettings {
  /** Pattern of the argument: `<file>`, `[file]`, or `<file...>`. */
  readonly pattern: string
  /** Name of the argument: `lookup-key` for `<lookup-key>`. */
  readonly name: string
  readonly isRequired: boolean
  /** Whether the argument consists of all remaining words. */
  readonly isRest: boolean
  readonly summary: string
  readonly parse?: Parser<unknown> | undefined
  /** Used only by the compiler, for the type of the value. Undefined at run time. */
  readonly type?: () => Value
}

interface ArgumentSettings {
  /** Values for the help, prompts, and completion (default: the choices of the parser). */
  readonly choices?: readonly string[] | undefined
  /** Whether a text cannot be a user ID. If the first word is such a text, the word is this argument, and the user is omitted. */
  isNeverUser?(text: string): boolean
}

export type Arguments = Readonly<Record<string, Argument>>

function createArgument(
  pattern: string,
  summary: string,
  parse?: Parser<unknown>,
  settings: ArgumentSettings = {},
): Argument<never> {
  const name = pattern.replace(/[<>[\].]/g, '')
  const form = { name, isRequired: pattern.startsWith('<'), isRest: pattern.includes('...') }
  return { pattern, ...form, summary, parse, choices: parse?.choices, ...settings }
}

type CreateArgument<Form> = <Value = string>(
  pattern: string,
  summary: string,
  parse?: Parser<Value>,
  settings?: ArgumentSettings,
) => Argument<NoInfer<Form extends 'rest' ? Value[] : Form extends 'optional' ? Value | undefined : Value>>

/** Creates an argument: `argument('<file>', 'the file to read')`. */
export const argument: CreateArgument<'required'> = createArgument

/** Creates an optional argument: `optionalArgument('[file]', 'the file to read')`. */
export const optionalArgument: CreateArgument<'optional'> = createArgument

/** Creates the last argument of a command: `<files...>`, or `[files...]` if it is optional. */
export const restArgument: CreateArgument<'rest'> = createArgument

export function choicesOf({ choices, parse }: Flag): readonly string[] | undefined {
  return choices ?? parse.choices
}

/** Parses one value. If the value is invalid, adds an error message that starts with `name` to `problems`. */
export function parseText<Value>(
  name: string,
  text: string,
  parse: Parser<Value>,
  problems: string[],
): Value | undefined {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    problems.push(...error.problems.map(({ message }) => `${name}: ${message}`))
    return undefined
  }
}

export function readValue(name: string, texts: readonly string[], flag: Flag, problems: string[]): unknown {
  const parts = flag.many && choicesOf(flag) ? texts.flatMap((text) => text.split(',')) : texts
  const values = (flag.many ? parts : parts.slice(-1)).map((text) =>
    parseText(name, text, flag.parse, problems),
  )
  return flag.many ? values : values[0]
}
