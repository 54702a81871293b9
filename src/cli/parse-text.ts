import { UsageError } from '../base/errors.ts'

/** Parses one value. Adds what is wrong with it to the problems, after its name. */
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
