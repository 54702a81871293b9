import { createHash } from 'node:crypto'
import { toJsonText } from '../../base/json.ts'
import type { Context } from '../../command/context.ts'

interface Page<Item> {
  items: Item[]
  pagination: { page: number; total_pages: number; next_page?: number | string | null | undefined }
}

/**
 * Follows `next_page` to the end. The parameter that selects a page is not specified, so a server may ignore it
 * and answer the same page again: then this stops and says so.
 */
export async function readAllPages<Item>(
  ctx: Context,
  read: (page: number | string) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let next: number | string | null | undefined = 1
  while (next !== null && next !== undefined) {
    const page: Page<Item> = await read(next)
    const fingerprint = createHash('sha256').update(toJsonText(page.items)).digest('hex')
    if (seen.has(fingerprint)) {
      ctx.warn(
        `the service returned the same page again, so only the first ${seen.size} answers were read; set the name of the page parameter with --page-parameter`,
      )
      return items
    }
    seen.add(fingerprint)
    items.push(...page.items)
    next = page.pagination.next_page
  }
  return items
}
