import { maxUserBytes } from '../rows/reasons.ts'
import type { RowReader } from '../rows/row-reader.ts'

/** Detects whether users are in ascending order, by bytes or by length and bytes. Then the file needs no spool. */
export class UserOrder {
  isOrdered = true
  private readonly last = Buffer.alloc(maxUserBytes)
  private lastLength = 0
  private lastKind = -1
  private isBytewise = true
  private isByLength = true

  /** Whether the previous answer has another user. */
  isNewUser(answer: RowReader): boolean {
    const length = answer.userEnd - answer.userStart
    const difference = this.compare(answer, length)
    if (difference === 0 && length === this.lastLength && answer.userKind === this.lastKind) return false
    this.isBytewise &&= difference > 0 || (difference === 0 && length > this.lastLength)
    this.isByLength &&= length > this.lastLength || (length === this.lastLength && difference > 0)
    this.isOrdered &&= this.isBytewise || this.isByLength
    answer.cells.bytes.copy(this.last, 0, answer.userStart, answer.userEnd)
    this.lastLength = length
    this.lastKind = answer.userKind
    return true
  }

  /** The first difference in the common length. */
  private compare(answer: RowReader, length: number): number {
    const common = Math.min(length, this.lastLength)
    for (let index = 0; index < common; index++) {
      const difference =
        (answer.cells.bytes[answer.userStart + index] as number) - (this.last[index] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}
