import { countOf } from '../base/text/count.ts'
import type { OptionRow, OptionValues } from './options.ts'
import { type Outcome, outcome } from './outcome.ts'
import { positiveInteger } from './values.ts'

/** Maximum length of a list that can become long, unless a flag sets it. */
export const usualLimit = 50

/** Flags of every list. A list without a usual limit is complete by default. */
export function limitOptions(items: string, usual?: number) {
  const remark = usual === undefined ? ' (default: all)' : ` (default ${usual})`
  return [
    ['--limit <n>', `maximum number of ${items}${remark}`, { parse: positiveInteger }],
    ['--all', `all ${items}`],
  ] as const satisfies readonly OptionRow[]
}

type Limit = OptionValues<ReturnType<typeof limitOptions>>

export function checkLimit({ limit, all }: Limit): string[] {
  return limit !== undefined && all ? ['--limit and --all cannot be used together'] : []
}

export function limitOf({ limit, all }: Limit, usual = Number.POSITIVE_INFINITY): number {
  return all ? Number.POSITIVE_INFINITY : (limit ?? usual)
}

/** The first items, with a note on stderr if there are more. `item` is a singular noun. */
export function cutList<Item>(
  all: readonly Item[],
  limit: number,
  [which, item]: readonly [which: 'first' | 'newest' | 'oldest', item: string],
): Outcome<readonly Item[]> {
  const shown = limit === 1 ? item : countOf(limit, item)
  const cut = `showing only the ${which} ${shown}; use --limit or --all to show more`
  return outcome(all.slice(0, limit), { cut: all.length > limit ? cut : undefined })
}
