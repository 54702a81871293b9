import type { FacescanError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { failsForAll } from '../../bulk/pace/pace.ts'
import type { Output, RowEnd } from './output.ts'

/** Number of consecutive failed users after which the run stops, because the service probably fails for all users. */
const failuresToStop = 20

/** Maximum number of results that wait for the result of an earlier item. */
const maxWaiting = 10_000

interface PendingRow {
  item: ListItem
  result: Promise<RowEnd>
  /** The result. Undefined until it has arrived. */
  end: RowEnd | undefined
}

/**
 * Passes results to the output in the order of the list. A failure that the service caused is held back until a later user succeeds. After
 * many consecutive failures, the run stops and does not write the held failures, so that the next run tries these users again. The circuit
 * breaker in `Pace` is not enough, because it does not open if only one of several requests per user fails.
 */
export class OrderedResults {
  readonly #output: Output
  /** The rows that are not in the output yet, in the order of the list. */
  readonly #pending: PendingRow[] = []
  #held: { item: ListItem; end: RowEnd }[] = []
  #writing: Promise<void> | undefined

  constructor(output: Output) {
    this.#output = output
  }

  /** Resolves when the result is written, or earlier if the result of a previous row is still missing. */
  async add(item: ListItem, result: Promise<RowEnd>): Promise<void> {
    const row: PendingRow = { item, result, end: undefined }
    this.#pending.push(row)
    row.end = await result
    const writing = this.#write()
    if (writing) await writing
    while (this.#pending.length >= maxWaiting) await this.#pending[0]?.result
  }

  /** Writes the failures that were held back until another user succeeds. Called at the end of the list, because no other user follows. */
  async putHeld(): Promise<void> {
    for (const { item, end } of this.#held.splice(0)) await this.#output.put(item, end)
  }

  /** Writes the results of all rows that precede the first row without a result. */
  #write(): Promise<void> | undefined {
    if (this.#writing) return this.#writing
    for (let row = this.#pending[0]; row?.end; row = this.#pending[0]) {
      this.#pending.shift()
      const written = this.#put(row.item, row.end)
      if (written === undefined) continue
      this.#writing = written.then(() => {
        this.#writing = undefined
        return this.#write()
      })
      return this.#writing
    }
    return undefined
  }

  #put(item: ListItem, end: RowEnd): Promise<void> | undefined {
    if ('error' in end && isServiceError(end.error)) {
      this.#held.push({ item, end })
      if (this.#held.length === failuresToStop) throw failsForAll(end.error.message)
      return undefined
    }
    if (this.#held.length === 0) return this.#output.put(item, end)
    return this.putHeld().then(() => this.#output.put(item, end))
  }
}

/** Whether the service caused the failure. All other failures concern only one user. */
export function isServiceError(error: FacescanError | undefined): boolean {
  return error?.code === 'server' || error?.code === 'network'
}
