import type { RowReader } from '../rows/row-reader.ts'
import type { Batch } from '../types.ts'
import { AnswerCounts } from './answer-counts.ts'
import { BatchCutter, type Grouping } from './grouping.ts'
import { type AnswerNames, Spool } from './spool.ts'

/** Grouping for other files. Stores the answers in a temporary file and groups one partition at a time. */
export class SpooledGrouping implements Grouping {
  private readonly batchSize: number
  private readonly spool: Spool
  readonly counts: AnswerCounts

  constructor(
    batchSize: number,
    inputBytes: number,
    { countsOnly = false, partitions }: { countsOnly?: boolean | undefined; partitions?: number } = {},
  ) {
    this.batchSize = batchSize
    this.spool = new Spool(inputBytes, countsOnly, partitions)
    this.counts = new AnswerCounts(batchSize)
  }

  add(answer: RowReader): void {
    this.spool.add(answer)
  }

  finish(): void {
    const { counts } = this
    for (const partition of this.spool.loaded()) {
      for (const first of partition.users()) {
        counts.startUser()
        for (let at: number | undefined = first; at !== undefined; at = partition.nextAt(at)) {
          counts.add(partition.keyAt(at), partition.lineAt(at))
        }
      }
    }
  }

  *batches(names: AnswerNames): Generator<Batch> {
    const cutter = new BatchCutter(this.batchSize)
    for (const partition of this.spool.loaded()) {
      for (const first of partition.users()) {
        const user = partition.userAt(first)
        for (let at: number | undefined = first; at !== undefined; at = partition.nextAt(at)) {
          cutter.add(partition.answerAt(at, user, names))
        }
        yield* cutter.take()
      }
    }
    yield* cutter.end()
  }

  close(): void {
    this.spool.close()
  }
}
