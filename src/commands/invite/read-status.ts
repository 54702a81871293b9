import { count } from '../../base/text.ts'
import type { Context } from '../../framework/context.ts'
import type { ListedInput } from '../../framework/many/options.ts'
import { flag } from '../../framework/options.ts'
import { dateTime } from '../../framework/times.ts'
import { nameUser } from '../../framework/user.ts'
import { wrap } from '../../output/text.ts'
import { epochMsOf } from '../../output/time.ts'
import type { ListView } from '../../output/view.ts'
import { reachUser } from '../reach-user.ts'
import { checkSameUser } from '../users/read-user.ts'

export const scanStates = ['scanned', 'waiting', 'failed'] as const
export type ScanState = (typeof scanStates)[number]

interface StatusRow {
  scan_status: ScanState
  /** Time of the first scan after the invitation. Only the latest ten scans are read. */
  scanned_at: string | null
}

/** Flags for one row. Their values come from the columns of the links file. */
const options = {
  url: flag('--url <url>', 'link of the row'),
  invitedAt: flag('--invited-at <time>', 'time of the invitation', dateTime),
}

export interface UserState {
  state: ScanState
  user: string
  row: number
}

/** The command for one row. Reports whether the user has scanned since the invitation. Omits states other than `only`. */
export function statusCheck(only: ScanState | undefined, tally: (found: UserState) => void) {
  let rows = 0
  const view: ListView<StatusRow, StatusRow> = {
    rows: (row) => (only === undefined || row.scan_status === only ? [row] : []),
    columns: [
      { key: 'scan_status', title: 'scan_status' },
      { key: 'scanned_at', title: 'scanned_at' },
    ],
    empty: '',
  }
  return {
    user: 'token',
    options,
    effect: 'read',
    view,
    many: {
      isSecret: true,
      isStatus: true,
      copiesColumns: true,
      rowFlags: ['url', 'invitedAt'],
      needs: {
        columns: ['url', 'invited_at'],
        hint: 'With --status, pass the file with the links, such as staff.links.csv.',
      },
    },
    run: async (ctx: Context, input: Record<string, unknown>) => {
      const link = input as unknown as ListedLink
      const row = rows++
      const found = await readStatus(ctx, link)
      tally({ state: found.scan_status, user: nameUser(link.user), row })
      return found
    },
  } as const
}

/** Number of lines on the screen that are reserved for text other than users. */
const otherLines = 10

/** Describes as many users as fit on the screen. Undefined if stderr is not a terminal, because a log must not contain user IDs. */
export function describeUsers(
  { terminals }: Pick<Context, 'terminals'>,
  state: ScanState,
  users: readonly string[],
): string | undefined {
  const { isTTY, width, height } = terminals.stderr
  if (!isTTY || users.length === 0) return undefined
  const describe = (shown: number) => {
    const more = shown < users.length ? `, and ${count(users.length - shown)} more` : ''
    return `${state}: ${users.slice(0, shown).join(', ')}${more}`
  }
  const lines = Math.max(1, height - otherLines)
  let shown = 1
  let tooMany = Math.min(users.length, lines * width) + 1
  while (tooMany - shown > 1) {
    const middle = Math.floor((shown + tooMany) / 2)
    if (wrap(describe(middle), width - 2).length <= lines) shown = middle
    else tooMany = middle
  }
  return describe(shown)
}

interface ListedLink extends ListedInput {
  url: string | undefined
  invitedAt: string | undefined
}

async function readStatus(
  ctx: Context,
  { user: given, expectedUserId, url, invitedAt }: ListedLink,
): Promise<StatusRow> {
  const invitedMs = epochMsOf(invitedAt)
  if (!url || invitedMs === undefined) return { scan_status: 'failed', scanned_at: null }
  const { api, user } = await reachUser(ctx, given)
  // The file can be from another service, or its user may have been deleted and created again. So the user ID from the service is compared
  // with the user ID in the file.
  await checkSameUser(await ctx.api(), given, expectedUserId)
  const scans = await api.biomarkers.latest({ user, query: { count: 10 } })
  const later = scans
    .map(({ timestamp }) => timestamp)
    .filter((time) => (epochMsOf(time) ?? 0) > invitedMs)
    .sort((a, b) => (epochMsOf(a) ?? 0) - (epochMsOf(b) ?? 0))
  const [first] = later
  return first === undefined
    ? { scan_status: 'waiting', scanned_at: null }
    : { scan_status: 'scanned', scanned_at: first }
}
