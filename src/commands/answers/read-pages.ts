import { toJsonText } from '../../base/json.ts'
import { countOf } from '../../base/text.ts'
import type { ReplyOf } from '../../contract/index.ts'
import { readNextPage } from '../../contract/values.ts'

type AnswerPage = ReplyOf<'questions.answered'>
type Answered = AnswerPage['items'][number]

/**
 * Reads all pages. The specification does not name the query parameter that selects a page, so a service can ignore the parameter that is
 * sent. `problem` is set if the service returns an earlier page again, if the next page is unknown, or if the total differs.
 */
export async function readPages(
  read: (page: number) => Promise<AnswerPage>,
  parameter?: string,
): Promise<{ items: Answered[]; problem: string | undefined }> {
  const items: Answered[] = []
  const seen = new Set<string>()
  let next: number | null | undefined = 1
  let total = 0
  while (typeof next === 'number') {
    const page: AnswerPage = await read(next)
    const text = toJsonText(page.items)
    if (page.items.length > 0 && seen.has(text))
      return { items, problem: 'the service returned the same page again' }
    seen.add(text)
    items.push(...page.items)
    // The empty page at the end of a list can have the total 0.
    total = Math.max(total, page.pagination.total_items)
    next = readNextPage(page.pagination.next_page, parameter)
    // Some services do not mark the last page, so an empty page ends the list.
    if (page.items.length === 0) break
  }
  if (next === undefined) return { items, problem: 'the service returned the next page in an unknown format' }
  // Some services omit the total. If more answers are returned than the total, the pages overlap, so some answers can be missing.
  if (Number.isNaN(total) || items.length === total) return { items, problem: undefined }
  return { items, problem: `the service reports ${countOf(total, 'answer')}, but returned ${items.length}` }
}
