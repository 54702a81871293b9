import { UsageError } from '../base/errors.ts'

/** Turns a reader of values into a check of what is typed: true, or what is wrong with it. */
export function accepts(parse: (text: string) => unknown): (text: string) => string | true {
  return (text) => {
    try {
      parse(text.trim())
      return true
    } catch (error) {
      if (error instanceof UsageError) return error.message
      throw error
    }
  }
}

/** `['--sex', 'F']`, or nothing where the question was passed over. */
export function given(flag: string, answer: string): string[] {
  return answer.trim() === '' ? [] : [flag, answer.trim()]
}
