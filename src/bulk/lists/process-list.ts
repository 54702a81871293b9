import { FacescanError } from '../../base/errors.ts'
import { Engine, type EngineEnd, type Lane } from '../engine/engine.ts'
import { InOrder } from './in-order.ts'

export interface ListOptions<Item, Result> {
  /** In blocks, because reading them one by one takes longer. */
  items: AsyncIterable<readonly Item[]>
  /** Processes one item. A FacescanError about the item fails the item; any other error stops the run. */
  process(item: Item): Promise<Result>
  /** Receives every item once, in the order of the list. */
  emit(item: Item, end: ItemEnd<Result>): Promise<void> | undefined
  maxConcurrency: number
  drain: AbortSignal
}

export type ItemEnd<Result> = { result: Result } | { error: FacescanError }

/** Items that are finished or in process while an earlier item is not: their results wait in memory. */
const maxAhead = 10_000

/** Items in process for each request in flight, so that a request can start when another one ends. */
const itemsPerRequest = 2

/** Failures that concern a single user. Any other failure would repeat for each user. */
const itemErrors: ReadonlySet<string> = new Set([
  'not_found',
  'rejected',
  'rate_limited',
  'server',
  'network',
])

/** Processes the items of a list with the engine of the import; the results keep the order of the list. */
export async function processList<Item extends object, Result>(
  options: ListOptions<Item, Result>,
): Promise<EngineEnd> {
  const { maxConcurrency, drain, emit } = options
  const order = new InOrder<{ item: Item; end: ItemEnd<Result> }>(
    ({ item, end }) => emit(item, end),
    maxAhead,
  )
  const engine = new Engine<Item, ItemLane<Item>>({
    async *items() {
      for await (const items of options.items) {
        for (const item of items) {
          if (order.isFull) await order.hasSpace()
          yield { lane: new ItemLane<Item>(order.next()), item }
        }
      }
    },
    process: async (lane, item) => order.put(lane.place, { item, end: await endOf(options, item) }),
    maxActive: maxConcurrency * itemsPerRequest,
    drain,
  })
  const end = await engine.run(async () => undefined)
  try {
    await order.finish()
  } catch (error) {
    return { done: false, error }
  }
  return end
}

/** Every item has its own lane: the order of the requests does not matter. */
class ItemLane<Item> implements Lane<Item> {
  readonly queue: Item[] = []
  isRunning = false
  readonly place: number

  constructor(place: number) {
    this.place = place
  }
}

async function endOf<Item, Result>(
  { process, drain }: ListOptions<Item, Result>,
  item: Item,
): Promise<ItemEnd<Result>> {
  try {
    return { result: await process(item) }
  } catch (error) {
    // An item that was still waiting when the run was stopped was not tried.
    const isStopped = drain.aborted && error === drain.reason
    if (error instanceof FacescanError && itemErrors.has(error.code) && !isStopped) return { error }
    throw error
  }
}
