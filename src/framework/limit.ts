import { count } from '../base/text.ts'
import { orders } from '../contract/values.ts'
import { flag, type OptionValues, toggle } from './options.ts'
import { type Outcome, outcome } from './outcome.ts'
import { oneOf, positiveInteger } from './values.ts'

/** Flags of all lists. Without a default limit, the command prints the complete list. */
export function limitOptions(items: string, usual?: number) {
  const range = usual === undefined ? { remark: 'default: all' } : { default: String(usual) }
  return {
    limit: flag('--limit <n>', `maximum number of ${items}`, positiveInteger, { ...range, conflicts: 'all' }),
    all: toggle('--all', `all ${items}`),
  }
}

/** Flag for a list of events. The ascending order is for exports that continue an earlier export. */
export const orderOption = {
  order: flag('--order <order>', 'order by time', oneOf(orders), { default: 'desc' }),
}

/** The first items in the selected order. `events` are sorted from the newest to the oldest. */
export function cutEvents<Item>(
  newestFirst: readonly Item[],
  { order, ...limit }: Limit & OptionValues<typeof orderOption>,
  item: string,
): Outcome<readonly Item[]> {
  const isAscending = order === 'asc'
  const items = isAscending ? newestFirst.toReversed() : newestFirst
  return cutList(items, limitOf(limit), [isAscending ? 'oldest' : 'newest', item])
}

type Limit = Partial<OptionValues<ReturnType<typeof limitOptions>>>

export function limitOf({ limit, all }: Limit): number {
  return limit === undefined || all ? Number.POSITIVE_INFINITY : limit
}

/** The first items of a list, with a note on stderr if there are more. `item` is a singular noun. */
export function cutList<Item>(
  all: readonly Item[],
  limit: number,
  [which, item]: readonly [which: 'first' | 'newest' | 'oldest', item: string],
): Outcome<readonly Item[]> {
  const shown = limit === 1 ? 'one' : count(limit)
  const cut = `there are more ${item}s than the ${which} ${shown}; use --all to show all`
  return outcome(all.slice(0, limit), { cut: all.length > limit ? cut : undefined })
}
