import type { Plan } from '../schemas.ts'

const maxExamples = 20

/** Counts users, requests, and repeated answers of a user to the same question. The answers must be grouped by user, in file order. */
export class AnswerCounts {
  users = 0
  requests = 0
  mostRequestsOfOneUser = 0
  private requestsOfUser = 0
  private readonly batchSize: number
  private repeatedRows = 0
  private examples: { key: number; line: number; first_line: number }[] = []
  /** Number of answers that still fit into the current request. */
  private roomLeft = 0
  /** For each lookup key: the index of the last user with an answer, and the line of this user's first answer. */
  private readonly lastUser: number[] = []
  private readonly firstLine: number[] = []

  constructor(batchSize: number) {
    this.batchSize = batchSize
  }

  add(key: number, line: number, isNewUser: boolean): void {
    if (isNewUser) {
      this.users++
      this.roomLeft = 0
      this.requestsOfUser = 0
    }
    if (this.roomLeft === 0) {
      this.requests++
      this.requestsOfUser++
      if (this.requestsOfUser > this.mostRequestsOfOneUser) this.mostRequestsOfOneUser = this.requestsOfUser
      this.roomLeft = this.batchSize
    }
    this.roomLeft--
    if (this.lastUser[key] === this.users) this.noteRepeat(key, line)
    else {
      this.lastUser[key] = this.users
      this.firstLine[key] = line
    }
  }

  repeats(keyNames: readonly string[]): Plan['repeats'] {
    const examples = this.examples.map(({ key, ...lines }) => ({ lookup_key: keyNames[key] ?? '', ...lines }))
    return { rows: this.repeatedRows, examples }
  }

  private noteRepeat(key: number, line: number): void {
    this.repeatedRows++
    const last = this.examples[maxExamples - 1]
    if (last && last.line < line) return
    const example = { key, line, first_line: this.firstLine[key] ?? 0 }
    this.examples = [...this.examples, example].sort((a, b) => a.line - b.line).slice(0, maxExamples)
  }
}
