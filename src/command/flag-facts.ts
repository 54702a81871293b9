import { type ArgumentRow, argumentName, type OptionRow } from './options.ts'
import type { ArgumentFacts, FlagFacts } from './program-schema.ts'

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
    ...(spec.default !== undefined && { default: spec.default }),
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
