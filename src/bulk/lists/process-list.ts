import { FacescanError } from '../../base/errors.ts'
import { Engine, type EngineEnd, type Lane } from '../engine/engine.ts'
import type { ListItem } from './read-list.ts'

export interface ListOptions {
  /** In blocks, because reading them one by one takes longer. */
  items: AsyncIterable<readonly ListItem[]>
  /** Processes one item. A FacescanError about the item fails the item; any other error stops the run. */
  process(item: ListItem): Promise<unknown>
  /** Receives every item once, in the order of the list. */
  emit(item: ListItem, end: ItemEnd): Promise<void> | undefined
  maxConcurrency: number
  drain: AbortSignal
  /** Aborted when the requests in flight must stop too. */
  signal: AbortSignal
}

export type ItemEnd = { result: unknown } | { error: FacescanError }

/** Items in process for each request in flight, so that a request can start when another one ends. */
const itemsPerRequest = 2

/** Failures that concern a single user. Any other failure would repeat for each user. */
const itemErrors: readonly string[] = ['not_found', 'rejected', 'rate_limited', 'server', 'network']

/** Processes the items of a list with the engine of the import; the results keep the order of the list. */
export function processList(options: ListOptions): Promise<EngineEnd> {
  const { maxConcurrency, drain, emit } = options
  let started = 0
  let emitted = 0
  let last: Promise<void> = Promise.resolve()
  const emitInOrder = async (item: ListItem, place: number, before: Promise<void>) => {
    const end = await endOf(options, item)
    // A result that waits for an earlier result does not delay the items after it.
    if (emitted < place) await engine.setAside(() => before)
    await emit(item, end)
    emitted++
  }
  const engine = new Engine<ListItem, Lane<ListItem>>({
    async *items() {
      // Each item has its own lane, because the order of the requests does not matter.
      for await (const items of options.items) for (const item of items) yield { lane: { queue: [] }, item }
    },
    process(_, item) {
      last = emitInOrder(item, started++, last)
      return last
    },
    maxActive: maxConcurrency * itemsPerRequest,
    drain,
  })
  return engine.run()
}

async function endOf({ process, drain, signal }: ListOptions, item: ListItem): Promise<ItemEnd> {
  try {
    return { result: await process(item) }
  } catch (error) {
    // An item that was still waiting when the run was stopped was not tried, and the next run repeats a request that was stopped.
    const isLimited = error instanceof FacescanError && error.code === 'rate_limited'
    const isStopped = signal.aborted || (drain.aborted && (isLimited || error === drain.reason))
    if (error instanceof FacescanError && itemErrors.includes(error.code) && !isStopped) return { error }
    throw error
  }
}
