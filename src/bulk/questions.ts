import { UsageError } from '../base/errors.ts'
import { quoteWord } from '../base/text.ts'

/** A decision about a file that only a person can make. */
export interface Question {
  problem: string
  /** Flags that answer it. Undefined if several answers are possible. */
  flags?: readonly string[]
}

/** The file needs flags before any row is sent. All of them are in one error. */
export class UnclearFile extends UsageError {
  /** Flags that answer all questions with a known answer. */
  readonly flags: string
  /** Whether the flags answer every question. */
  readonly isComplete: boolean

  constructor(name: string, questions: readonly Question[]) {
    const flags = [...new Set(questions.flatMap(({ flags = [] }) => flags))].join(' ')
    super(
      [`${name} cannot be read without more flags; nothing was sent`, ...questions.map((q) => q.problem)],
      {
        ...(flags !== '' && { hint: `Check and add: ${flags}` }),
      },
    )
    this.flags = flags
    this.isComplete = questions.every((question) => question.flags !== undefined)
  }

  /** Adds the complete command to run. `line` is the current command. */
  withCommand(line: string): this {
    if (this.flags === '') return this
    const start = this.isComplete ? 'Check the flags, then run' : 'Choose the missing flags, and add them to'
    this.details.hint = `${start}: ${line} ${this.flags}`
    return this
  }
}

export function throwUnclear(name: string, questions: readonly Question[]): void {
  if (questions.length > 0) throw new UnclearFile(name, questions)
}

export function mapFlag(column: string, field: string): string {
  return `--map ${quoteWord(`${column}=${field}`)}`
}
