import { count, countOf } from '../../base/text.ts'
import { type ListItem, readList } from '../../bulk/lists/read-list.ts'
import { escapeControls, oneLine } from '../../output/text.ts'
import { type CommandResult, commandResult } from '../command-result.ts'
import type { Context } from '../context.ts'
import { namePlace } from '../user.ts'
import { listSummaryView, summarize } from './conclude.ts'
import type { ListSummary } from './list-schema.ts'
import type { CheckedList } from './open-users.ts'
import type { Preview } from './options.ts'
import type { Output } from './output.ts'
import type { CheckedRun } from './process-row.ts'
import { processUsers } from './process-users.ts'
import type { RowFlags } from './row-flags.ts'

const shownDifferences = 10
const shownRows = 3

/** Prints the first rows of a list on stderr as they would be sent. */
export async function showFirstRows(
  ctx: Context,
  list: CheckedList,
  flags: RowFlags | undefined,
): Promise<void> {
  const lines: string[] = []
  for await (const items of readList(list)) {
    for (const item of items) {
      if (lines.length === shownRows || !('user' in item) || !list.isValid(item)) continue
      if (list.repeats.isRepeat(item)) continue
      const fields = (flags?.cellsOf(item) ?? []).map(({ name, text }) => `${name} ${text}`)
      lines.push(oneLine(escapeControls(`  line ${item.line}: ${[item.user.id, ...fields].join(', ')}`)))
    }
    if (lines.length === shownRows) break
  }
  if (lines.length > 0 && !ctx.flags.quiet)
    ctx.io.stderr.write(`First users to be sent:\n${lines.join('\n')}\n`)
}

/** Reads the users of a list. Prints the first differences from the list, and returns the number of users by status. */
async function previewList(
  ctx: Context,
  { list, input }: Pick<PlannedList, 'list' | 'input'>,
  preview: (ctx: Context, item: ListItem) => Promise<Preview>,
): Promise<ReadonlyMap<string, number>> {
  const statuses = new Map<string, number>()
  const lines: string[] = []
  const counts = { rows: 0, done: 0, failed: 0, repeated: { done: 0, failed: 0 } }
  const output: Output = {
    counts,
    put(item, end) {
      if ('error' in end) throw end.error
      counts.done++
      if (list.repeats.isRepeat(item)) return undefined
      const found = end.result as Preview
      statuses.set(found.status, (statuses.get(found.status) ?? 0) + 1)
      for (const difference of found.differences) lines.push(`  line ${item.line}: ${difference}`)
      return undefined
    },
    finish: async () => ({}),
  }
  const { end } = await processUsers(ctx, { list, options: input, output, process: preview })
  if (!end.done) throw end.error
  const more = lines.length - shownDifferences
  const shown = [...lines.slice(0, shownDifferences), ...(more > 0 ? [`  and ${count(more)} more`] : [])]
  if (shown.length > 0 && !ctx.flags.quiet) ctx.io.stderr.write(`${shown.join('\n')}\n`)
  return statuses
}

interface PlannedList extends CheckedRun {
  list: CheckedList
}

/** Checks the complete list for a dry run and sends nothing. */
export async function planList(
  ctx: Context,
  { command, list, input, flags, inputOf }: PlannedList,
): Promise<CommandResult<ListSummary>> {
  const { change, isStatus } = command.many ?? {}
  const { baseUrl } = await ctx.session()
  const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
  const verb = change?.verb ?? (isStatus ? 'read the state of' : `run "facescan ${ctx.command}" for`)
  const skipped = list.invalid > 0 ? `; would skip ${countOf(list.invalid, 'invalid row')}` : ''
  const preview = change?.preview?.(input)
  // A repeated "invite" can skip the first rows, so they are not shown as rows to send.
  if (change?.creates && !(preview && change.kept)) await showFirstRows(ctx, list, flags)
  const found =
    preview && (await previewList(ctx, { list, input }, (quiet, item) => preview(quiet, inputOf(item))))
  const users = list.users - list.repeated - (found?.get(change?.kept ?? '') ?? 0)
  const what = `would ${verb} ${countOf(users, 'user')} in ${await namePlace(ctx)} (${host})`
  const statuses = [...(found ?? [])].map(([status, number]) => `${count(number)} ${status}`)
  const details = statuses.length > 0 ? `: ${statuses.join(', ')}` : ''
  const note = `dry run: ${what}${details}${skipped}; nothing was ${details ? 'changed' : 'sent'}`
  return commandResult(
    summarize({ list, counts: { done: 0, failed: 0, repeated: { done: 0, failed: 0 } }, files: {} }),
    { view: listSummaryView, brief: true, notes: [note] },
  )
}
