import { UsageError } from '../base/errors.ts'
import type { OptionRow } from './options.ts'
import { oneOf } from './values.ts'

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
  spec: NonNullable<OptionRow[2]>,
  problems: string[],
): unknown {
  const parse = spec.parse ?? (spec.choices ? oneOf(spec.choices) : String)
  const parts = spec.many && spec.choices ? texts.flatMap((text) => text.split(',')) : texts
  const values = (spec.many ? parts : parts.slice(-1)).map((text) => parseText(name, text, parse, problems))
  return spec.many ? values : values[0]
}
