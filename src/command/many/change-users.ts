import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { countOf } from '../../base/text/count.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { refuseExisting } from '../../bulk/lists/resumable-file.ts'
import type { Effect } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { type Outcome, outcome } from '../outcome.ts'
import { conclude, type ListSummary, listSummaryView, summarize } from './conclude.ts'
import { FileSink, type FileSinkOptions } from './file-sink.ts'
import type { CheckedList } from './open-users.ts'
import type { ChangeStep, ListOptions } from './options.ts'
import { runList } from './run-list.ts'

export interface UsersChange extends Pick<FileSinkOptions, 'list' | 'out' | 'format' | 'settings'> {
  options: ListOptions
  /** Such as `delete`. */
  verb: string
  effect: Effect
  isValid(item: ListItem): boolean
  process(ctx: Context, item: ListItem, step: ChangeStep): Promise<object>
}

/** Changes every user of a list: one confirmation, one audit entry at each end, and a file of the results. */
export async function changeUsers(ctx: Context, change: UsersChange): Promise<Outcome<ListSummary>> {
  const { list, options, verb, effect, out, isValid, process } = change
  const users = countOf(list.users, 'user')
  const past = verb.replace(/e?$/, 'ed')
  const ending = { view: listSummaryView, brief: true }
  if (ctx.flags.dryRun) {
    const { environment, profile, baseUrl } = await ctx.session()
    const host = baseUrl === undefined ? 'the built-in sandbox' : new URL(baseUrl).host
    const note = `dry run: would ${verb} ${users} on ${host} (${profile ?? environment}); nothing was sent`
    const untouched = summarize({ list, counts: { done: 0, failed: 0 }, files: {} })
    return outcome(untouched, { ...ending, notes: [note] })
  }
  refuseExisting(out)
  if (list.users > 0)
    await ctx.approve({
      effect,
      users: list.users,
      summary: `${verb} ${users}${effect === 'destroy' ? ' and all their data' : ''}`,
    })
  const sink = await FileSink.open(ctx, { ...change, errors: options.errors })
  const end = await runList(ctx, {
    list,
    options,
    sink,
    isValid,
    process: (quiet, item) =>
      process(quiet, item, {
        announced: sink.announcedFor(item),
        announce: (userId) => sink.announce(item, userId),
      }),
  })
  const files = await sink.end(end.done)
  const detail = `${sink.done} done, ${sink.failed} failed`
  await ctx.concludeImport({ outcome: end.done ? 'done' : 'unknown', detail })
  const did = past.replace(/^./, (letter) => letter.toUpperCase())
  const conclusion = { list, counts: sink, files, end, did, resume: ctx.line }
  return outcome(summarize(conclusion), { ...ending, ...conclude(conclusion) })
}

/** A new file beside the list: `users.csv`, or `users-2.csv` if that file exists. */
export function fileBeside({ input }: CheckedList, file: string, fileName: string): string {
  const folder = input.path === undefined ? '.' : dirname(file)
  const ending = extname(fileName)
  for (let number = 1; ; number++) {
    const name = number === 1 ? fileName : `${basename(fileName, ending)}-${number}${ending}`
    const path = join(folder, name)
    if (!existsSync(path)) return path
  }
}
