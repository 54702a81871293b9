import { toJsonText } from '../../base/json.ts'
import type { Context } from '../../command/context.ts'
import type { ReplyOf } from '../../contract/index.ts'

type Page = ReplyOf<'questions.answered'>
type Answered = Page['items'][number]

/**
 * Reads pages until more than `limit` items were read. The specification does not name the parameter that selects a page.
 * If the service ignores the parameter and returns the same page again, the list ends with a warning.
 */
export async function readPages(
  ctx: Context,
  read: (page: number | string) => Promise<Page>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Answered[]> {
  const items: Answered[] = []
  const seen = new Set<string>()
  let next: number | string | null | undefined = 1
  while (next !== null && next !== undefined && items.length <= limit) {
    const page: Page = await read(next)
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
