import { orders } from '../contract/values.ts'
import { type CommandResult, commandResult } from './command-result.ts'
import { flag, type OptionValues, toggle } from './options.ts'
import { oneOf, positiveInteger } from './values.ts'

export const usualEvents = 50

/** Flags of all commands that print a list. `usual` is the default limit. If `usual` is undefined, the complete list is printed. */
export function limitOptions(items: string, usual?: number) {
  return {
    limit: flag('--limit <n>', `maximum number of ${items}`, positiveInteger, {
      conflicts: 'all',
      ...(usual === undefined ? { remark: 'default: all' } : { usual: String(usual) }),
    }),
    all: toggle('--all', `all ${items}`),
  }
}

/** Flags for a list of events. If `--order asc` is set, an export can continue where an earlier export ended. */
export function eventOptions(items: string) {
  return {
    ...limitOptions(items, usualEvents),
    order: flag('--order <order>', 'order by time', oneOf(orders), { default: 'desc' }),
  }
}

/** Returns the first items in the selected order. The input must be sorted from newest to oldest. */
export function cutEvents<Item>(
  newestFirst: readonly Item[],
  { order, ...options }: OptionValues<ReturnType<typeof eventOptions>>,
  item: string,
): CommandResult<readonly Item[]> {
  const isAscending = order === 'asc'
  const items = isAscending ? newestFirst.toReversed() : newestFirst
  return cutList(items, options, usualEvents, [isAscending ? 'oldest' : 'newest', item])
}

type Limit = OptionValues<ReturnType<typeof limitOptions>>

export function limitOf({ limit, all }: Limit, usual = Number.POSITIVE_INFINITY): number {
  return all ? Number.POSITIVE_INFINITY : (limit ?? usual)
}

/** Returns the first items of a list. If the default limit hides items, prints a note on stderr. `item` is a singular noun. */
export function cutList<Item>(
  all: readonly Item[],
  options: Limit,
  usual: number,
  [which, item]: readonly [which: 'newest' | 'oldest', item: string],
): CommandResult<readonly Item[]> {
  const items = all.slice(0, limitOf(options, usual))
  const isCut = options.limit === undefined && items.length < all.length
  const cut = `there are more ${item}s than the ${which} ${usual}; use --all to show all`
  return commandResult(items, { cut: isCut ? cut : undefined })
}
