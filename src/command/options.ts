import { UsageError } from '../base/errors.ts'
import type { ArgumentFacts, FlagFacts } from './program-schema.ts'
import { oneOf } from './values.ts'

interface OptionSpec {
  choices?: readonly string[]
  /** Names of the choices in a prompt (default: the choices). */
  choiceNames?: Readonly<Record<string, string>>
  /** Label of the prompt for a missing value (default: the summary). Optional flags are prompted for only if they have a label. */
  prompt?: string
  /** Values that a prompt offers. Other values may also be valid. */
  suggestions?(): readonly string[]
  required?: boolean
  /** Converts the text to a value. Throws a UsageError that describes the problem. */
  parse?(text: string): unknown
  /** Shown in parentheses after the summary, such as `default: detected`. */
  remark?: string
  /** Default value as text, shown in the help and parsed like a value of the command line. */
  default?: string
  /** The flag can be repeated. With `choices`, one flag can also contain several values, separated by commas. */
  many?: boolean
  /** Another name of the column that sets the flag for a row of a list. */
  column?: string
  /** The flag cannot be repeated: using the last value could select a different user or service than expected. */
  once?: boolean
  /** Long name, without dashes, of a flag that cannot be used together with this one. */
  conflicts?: string
  /** The flag is accepted but not documented. */
  isHidden?: boolean
}

/** `['--sex <sex>', 'sex at birth', { choices: sexes }]` */
export type OptionRow = readonly [flags: string, summary: string, spec?: OptionSpec]

/**
 * `['<file>', 'the file to read']`, `['[name]', …]` or `['<field...>', …]`. The choices are used for help and completion;
 * `parse` validates and converts the value.
 */
export type ArgumentRow = readonly [
  pattern: string,
  summary: string,
  parse?: ((text: string) => unknown) | undefined,
  choices?: readonly string[],
]

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text
type LongName<Flags extends string> = Flags extends `${string}--no-${infer Rest}`
  ? FirstWord<Rest>
  : Flags extends `${string}--${infer Rest}`
    ? FirstWord<Rest>
    : never
type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text

type Single<Row extends OptionRow> = Row[2] extends { parse(text: string): infer Value }
  ? Value
  : Row[2] extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

type OptionValue<Row extends OptionRow> = Row[0] extends `${string}<${string}` | `${string}[${string}`
  ? Row[2] extends { many: true }
    ? Single<Row>[]
    : Row[2] extends { required: true } | { default: unknown }
      ? Single<Row>
      : Single<Row> | undefined
  : boolean

/** The values of a list of options, named in camel case after their long flags. */
export type OptionValues<Rows extends readonly OptionRow[]> = {
  [Row in Rows[number] as Camel<LongName<Row[0]>>]: OptionValue<Row>
}

type ArgumentName<Pattern extends string> = Pattern extends `${'<' | '['}${infer Name}...${'>' | ']'}`
  ? Camel<Name>
  : Pattern extends `${'<' | '['}${infer Name}${'>' | ']'}`
    ? Camel<Name>
    : never

type ArgumentValue<Row extends ArgumentRow> = Row[0] extends `${string}...${string}`
  ? string[]
  :
      | (Row[2] extends (text: string) => infer Value ? Value : string)
      | (Row[0] extends `<${string}` ? never : undefined)

/** The values of a list of arguments, named in camel case: `<lookup-key>` is `lookupKey`. */
export type ArgumentValues<Rows extends readonly ArgumentRow[]> = {
  [Row in Rows[number] as ArgumentName<Row[0]>]: ArgumentValue<Row>
}

/** `lookupKey` for `<lookup-key>`. */
export function argumentKey(pattern: string): string {
  return argumentName(pattern).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `lookup-key` for `<lookup-key>`. */
export function argumentName(pattern: string): string {
  return pattern.replace(/[<>[\].]/g, '')
}

function describeFlag([flags, summary, spec = {}]: OptionRow): FlagFacts {
  const [, short, long = '', open, name] =
    /^(?:(-\w), )?(--[\w-]+)(?: ([<[])([^>\]]+)[>\]])?$/.exec(flags) ?? []
  return {
    long,
    ...(short && { short }),
    summary,
    ...(spec.remark && { remark: spec.remark }),
    ...(name && { value: { name, optional: open === '[' } }),
    ...(spec.choices && { choices: spec.choices }),
    required: spec.required ?? false,
    many: spec.many ?? false,
    ...(spec.default !== undefined && { default: spec.default }),
  }
}

export function describeFlags(rows: readonly OptionRow[]): FlagFacts[] {
  return rows.filter(([, , spec]) => !spec?.isHidden).map(describeFlag)
}

export function describeArgument([pattern, summary, , choices]: ArgumentRow): ArgumentFacts {
  return {
    name: argumentName(pattern),
    summary,
    ...(choices && { choices }),
    required: pattern.startsWith('<'),
    many: pattern.includes('...'),
  }
}

/** Parses one value. Adds a problem with the value to `problems`, after the name. */
export function parseText(
  name: string,
  text: string,
  parse: (text: string) => unknown,
  problems: string[],
): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    problems.push(...error.problems.map((problem) => `${name}: ${problem}`))
    return undefined
  }
}

/** The value of a flag that was set with these texts. */
export function readValue(
  name: string,
  texts: readonly string[],
  spec: OptionSpec,
  problems: string[],
): unknown {
  const parse = spec.parse ?? (spec.choices ? oneOf(spec.choices) : String)
  const parts = spec.many && spec.choices ? texts.flatMap((text) => text.split(',')) : texts
  const values = (spec.many ? parts : parts.slice(-1)).map((text) => parseText(name, text, parse, problems))
  return spec.many ? values : values[0]
}
