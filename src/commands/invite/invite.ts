import { existsSync, renameSync } from 'node:fs'
import { FacescanError } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import { partialPath } from '../../bulk/lists/earlier-run.ts'
import { alreadyPrinted, type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { listSummaryView } from '../../framework/many/conclude.ts'
import type { ListSummary } from '../../framework/many/list-schema.ts'
import { listOptions, type ManyInput, shardOf } from '../../framework/many/options.ts'
import { runMany } from '../../framework/many/run-many.ts'
import { userValueOptions } from '../../framework/many/value-options.ts'
import { argument, flag, toggle } from '../../framework/options.ts'
import { oneOf, outputFile } from '../../framework/values.ts'
import { epochMsOf, formatExpiry } from '../../output/time.ts'
import { expiryFlag } from '../deliver.ts'
import { existingActions } from '../users/create-once.ts'
import {
  besidePath,
  type EarlierLinks,
  type InvitedRow,
  readEarlierLinks,
  versionOf,
} from './earlier-links.ts'
import { describeUsers, type ScanState, scanStates, statusCheck, type UserState } from './read-status.ts'
import { invitation } from './send-links.ts'

/** Endings of files that the next run could not read as a list with links. */
const unreadable = /\.(jsonl?|ndjson|ya?ml|xlsx?|ods|gz|zip)$/i

export default defineCommand({
  args: { file: argument('<file>', 'list of users, or the file with their links (with --status)') },
  output: async () => (await import('../../framework/many/list-schema.ts')).listSummary,
  view: listSummaryView,
  calls: [
    'users.create',
    'users.get',
    'users.update',
    'scanUrl',
    'questions.all',
    'biomarkers.latest',
    'users.authenticate',
  ],
  effect: 'change',
  localEffect: 'change',
  failures: ['import_rejected', 'import_stopped'],
  options: {
    status: toggle('--status', 'report which users have scanned since the invitation'),
    only: flag('--only <state>', 'state of the users to write', oneOf(scanStates)),
    existing: flag('--existing <action>', 'for existing users', oneOf(existingActions), {
      default: 'skip',
    }),
    expireAt: expiryFlag,
    out: flag('--out <file>', 'output file (default: beside the input file)', outputFile),
    ...userValueOptions,
    ...listOptions,
  },
  description:
    'Creates missing users, and writes links to an owner-only file. Send the links yourself. For one user: facescan scan-url. To renew failed and expired links, repeat the command. The links are credentials: delete the file after --status.',
  examples: ['facescan invite staff.csv', 'facescan invite --status staff.links.csv --only waiting'],
  check: ({ file, only, status, out, existing, expireAt }) => [
    ...(!status && unreadable.test(out ?? '')
      ? [`--out ${out}: the links file must be CSV or TSV, so that the next run can read it`]
      : []),
    ...(only !== undefined && !status ? ['--only needs --status'] : []),
    ...(status && expireAt !== undefined ? ['--expire-at cannot be used with --status'] : []),
    ...(status && existing !== 'skip' ? ['--existing cannot be used with --status'] : []),
    ...(/^[\w-]+$/.test(file) && file !== '-' && !existsSync(file)
      ? [`"${file}" is not a file; for one user, use: facescan scan-url ${file}`]
      : []),
  ],
  run: (ctx, { file, status, only, ...input }) => {
    const many = { ...input, users: file, keep: [] }
    return status ? readStates(ctx, many, only) : sendLinks(ctx, many)
  },
})

async function sendLinks(
  ctx: Context,
  input: ManyInput,
): Promise<CommandResult<ListSummary> | typeof alreadyPrinted> {
  const path = input.out ?? besidePath(input.users, 'links', await shardOf(ctx, input))
  const isRenewal = existsSync(path)
  const version = versionOf(path)
  const earlier = await readEarlierLinks(ctx, path, input)
  const created = { links: 0, firstMs: Number.POSITIVE_INFINITY }
  const command = invitation({ earlier, renew: input.renew }, (row) => addLink(created, row))
  const out = isRenewal ? path.replace(/(\.\w+)?$/, '.new$1') : path
  const isResumed = existsSync(partialPath(out))
  const result = await runMany(ctx, command, { ...input, out })
  if (result === alreadyPrinted || result.error || ctx.flags.dryRun) return result
  const lost = isRenewal ? await whyKept(ctx, earlier, out, input) : undefined
  const isChanged = isRenewal && versionOf(path) !== version
  const reason = lost ?? (isChanged ? 'was changed during the run' : undefined)
  if (isRenewal && reason === undefined) renameSync(out, path)
  const written = reason === undefined ? path : out
  const { users, failed } = result.value
  const summary = { ...result.value, file: written }
  const notes = [
    // The file can have a new name now, so the note `results in FILE` is removed. The next note contains the new name.
    ...(result.notes ?? []).filter((note) => !note.startsWith('results in ')),
    ...(failed === users
      ? []
      : [
          `links in ${written}; facescan does not send them, so send them yourself`,
          ...describeExpiry(ctx, created, isResumed),
          'the links are credentials: delete the file after --status',
        ]),
    ...describeKept(input, result.statuses?.['kept']),
    ...(reason === undefined ? [] : [`${path} was not replaced, because it ${reason}`]),
  ]
  if (failed === 0) return commandResult(summary, { ...result, view: listSummaryView, notes })
  const message = `${count(failed)} of ${countOf(users, 'user')} failed; the reasons are in ${written}`
  const error = new FacescanError('import_rejected', message, {
    hint: 'Check the reasons, then run the same command again.',
  })
  return commandResult(summary, { ...result, view: listSummaryView, done: undefined, notes, error })
}

function describeKept({ expireAt }: ManyInput, links = 0): string[] {
  if (expireAt === undefined || links === 0) return []
  const them = links === 1 ? 'it' : 'them'
  return [`--expire-at does not change the ${countOf(links, 'kept link')}; to replace ${them}, add --renew`]
}

/** The number of new links in a run, and their earliest expiry. */
interface CreatedLinks {
  links: number
  firstMs: number
}

function addLink(created: CreatedLinks, { status, expires_at }: InvitedRow): void {
  if (status !== 'invited' && status !== 'renewed') return
  created.links++
  created.firstMs = Math.min(created.firstMs, epochMsOf(expires_at) ?? created.firstMs)
}

/** Describes the earliest expiry of the new links, without the links from an interrupted run. */
function describeExpiry(
  { terminals }: Context,
  { links, firstMs }: CreatedLinks,
  isResumed: boolean,
): string[] {
  if (firstMs === Number.POSITIVE_INFINITY) return []
  const time = formatExpiry(firstMs, terminals.stderr)
  return [`the ${links > 1 ? 'earliest ' : ''}link${isResumed ? ' of this run' : ''} expires ${time}`]
}

/** The reason if the existing file is kept, because it has links of users who are not in the new list. */
async function whyKept(
  ctx: Context,
  earlier: EarlierLinks,
  out: string,
  input: ManyInput,
): Promise<string | undefined> {
  const newer = await readEarlierLinks(ctx, out, input)
  const lost = [...earlier].filter(([id, { url }]) => url && !newer.has(id)).length
  if (lost === 0) return undefined
  return lost === 1
    ? 'has the link of 1 user who is not in this list'
    : `has the links of ${countOf(lost, 'user')} who are not in this list`
}

async function readStates(ctx: Context, input: ManyInput, only: ScanState | undefined) {
  const out = input.out ?? besidePath(input.users, only ?? 'status', await shardOf(ctx, input))
  const listed = only ?? 'waiting'
  // The requests for rows can end in any order, so each user is stored at the position of its row.
  const named: string[] = []
  const tally = ({ state, user, row }: UserState) => {
    if (state === listed) named[row] = user
  }
  // The file must show the current state, so all users are requested again.
  const result = await runMany(ctx, statusCheck(only, tally), { ...input, scanState: only, out, renew: true })
  if (result === alreadyPrinted || ctx.flags.dryRun) return result
  const { value, statuses = {}, notes = [], done } = result
  // Nothing was changed, so the success line names no profile.
  if (done !== undefined) ctx.done(done)
  const counts = scanStates.map((state) => `${count(statuses[state] ?? 0)} ${state}`)
  const unread = value.failed > 0 ? [`${count(value.failed)} not read`] : []
  // If the run was resumed, the users of the interrupted run are not in `named`.
  const users = Object.values(named)
  const names = users.length === statuses[listed] ? describeUsers(ctx, listed, users) : undefined
  return commandResult(value, {
    ...result,
    done: undefined,
    view: listSummaryView,
    notes: [...notes, [...counts, ...unread].join(', '), ...(names === undefined ? [] : [names])],
  })
}
