import { type ArgumentRow, argumentName, type OptionRow } from './options.ts'
import { duration } from './values.ts'

/** Facts about a flag for help, completion, man pages, and the schema. */
export interface FlagFacts {
  /** With its dashes: `--sex`. */
  long: string
  short?: string
  summary: string
  /** The value of the flag; undefined for a boolean flag. */
  value?: { name: string; optional: boolean }
  choices?: readonly string[]
  required: boolean
  many: boolean
  /** As written on the command line. */
  default?: string
}

export interface ArgumentFacts {
  name: string
  summary: string
  choices?: readonly string[]
  required: boolean
  many: boolean
}

function describeFlag([flags, summary, spec = {}]: OptionRow): FlagFacts {
  const [, short, long = '', open, name] =
    /^(?:(-\w), )?(--[\w-]+)(?: ([<[])([^>\]]+)[>\]])?$/.exec(flags) ?? []
  return {
    long,
    ...(short && { short }),
    summary,
    ...(name && { value: { name, optional: open === '[' } }),
    ...(spec.choices && { choices: spec.choices }),
    required: spec.required ?? false,
    many: spec.many ?? false,
    ...(spec.default !== undefined && { default: showDefault(spec) }),
  }
}

export function describeFlags(rows: readonly OptionRow[]): FlagFacts[] {
  return rows.map(describeFlag)
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

function showDefault({ default: value, parse }: NonNullable<OptionRow[2]>): string {
  return parse === duration && typeof value === 'number' ? showDuration(value) : String(value)
}

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

function showDuration(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms % size === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}
