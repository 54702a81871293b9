import { toJsonText } from '../../base/json.ts'
import type { Context } from '../../command/context.ts'

interface Page<Item> {
  items: Item[]
  pagination: { next_page?: number | string | null | undefined }
}

/**
 * Reads pages until more than `limit` items were read. The specification does not name the parameter that selects a page.
 * If the service ignores the parameter and returns the same page again, the list ends with a warning.
 */
export async function readPages<Item>(
  ctx: Context,
  read: (page: number | string) => Promise<Page<Item>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let next: number | string | null | undefined = 1
  while (next !== null && next !== undefined && items.length <= limit) {
    const page: Page<Item> = await read(next)
    const text = toJsonText(page.items)
    if (seen.has(text)) {
      ctx.warn(
        `the service returned the same page again, so only ${items.length} answers were read; set the name of the page parameter with --page-parameter`,
      )
      return items
    }
    seen.add(text)
    items.push(...page.items)
    next = page.pagination.next_page
  }
  return items
}
