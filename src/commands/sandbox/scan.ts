import { FacescanError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { suggestCreate } from '../../framework/explain-missing.ts'
import { flag } from '../../framework/options.ts'
import { shownUser, type UserId, userWords } from '../../framework/user.ts'
import { atMost, wholeNumber } from '../../framework/values.ts'
import { followUp } from '../../output/hint.ts'
import { sandboxProfile } from '../../profiles/profile.ts'
import { databaseOption, withStore } from './options.ts'

/** Maximum number of scans. All new scans are in memory at the same time. */
const mostScans = 100_000
/** Maximum number of days: about a hundred years. */
const mostDays = 36_500

export default defineCommand({
  user: 'either',
  output: async () => {
    const { int, strictObject, string } = await import('zod/mini')
    return strictObject({ recorded: int(), first: string(), last: string(), latest_face_scan_id: string() })
  },
  localEffect: 'change',
  failures: ['not_found'],
  view: {
    columns: [
      { key: 'recorded', title: 'Scans recorded' },
      { key: 'first', title: 'First', time: true },
      { key: 'last', title: 'Last', time: true },
      { key: 'latest_face_scan_id', title: 'Latest face scan', whole: true },
    ],
  },
  options: {
    count: flag('--count <n>', 'number of scans', atMost(mostScans), { default: '1' }),
    days: flag('--days <n>', 'period of the scans, in days up to now', atMost(mostDays), {
      default: '1',
    }),
    seed: flag('--seed <n>', 'seed for random values', wholeNumber),
    db: databaseOption,
  },
  description: 'Records synthetic scans with plausible values, as if the user had used a scan link.',
  examples: ['facescan sandbox scan 4711', 'facescan sandbox scan 4711 --count 30 --days 30 --seed 7'],
  async run(ctx, { user, count, days, seed, db }) {
    const { recordScans } = await import('../../sandbox/synthetic.ts')
    const request = { user, count, days, seed, now: ctx.clock.now() }
    const scans = await withStore(ctx, db, (store) => recordScans(store, request)).catch(async (error) => {
      throw await addHint(error, user, db)
    })
    const [first, last] = [scans[0], scans.at(-1)]
    if (!first || !last) throw new Error('no scan was recorded')
    const time = (ms: number) => new Date(ms).toISOString()
    const recorded = {
      recorded: scans.length,
      first: time(first.taken_at_ms),
      last: time(last.taken_at_ms),
      latest_face_scan_id: last.face_scan_id,
    }
    const suggests = ctx.terminals.stderr.isTTY && db === undefined
    const done = `Recorded ${countOf(scans.length, 'scan')} for user ${shownUser(user)}`
    return commandResult(recorded, { done, notes: suggests ? [`next: ${await suggestNext(ctx, user)}`] : [] })
  },
})

/** Suggests the next command. The suggested command selects the sandbox explicitly, because it would otherwise use the default profile. */
async function suggestNext(ctx: Context, user: UserId): Promise<string> {
  const environment = await ctx.session().then(
    (session) => session.environment,
    () => undefined,
  )
  return followUp(
    `biomarkers list ${userWords(user)}`,
    environment === 'sandbox' ? ctx.flags : { profile: sandboxProfile },
  )
}

/** Adds a hint about an unknown user. With --db, the hint is to check the ID, because no command creates users in that database. */
async function addHint(error: unknown, user: UserId, db: string | undefined): Promise<unknown> {
  if (!(error instanceof FacescanError) || error.code !== 'not_found' || 'user_id' in user) return error
  const hint = db === undefined ? await suggestCreate(user, ['--profile', sandboxProfile]) : 'Check the ID'
  return new FacescanError(error.code, error.message, { ...error.details, hint })
}
