import { quoteWord } from '../../base/text/shell-quote.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { followUp } from '../../command/follow-up.ts'
import { positiveInteger, wholeNumber } from '../../command/values.ts'
import type { Who } from '../../command/who.ts'
import type { RecordView } from '../../output/view.ts'
import { sandboxProfile } from '../../profiles/profile.ts'
import { eitherId } from '../who.ts'
import { databaseOption, withStore } from './options.ts'

interface Recorded {
  recorded: number
  first: string
  last: string
  latest_face_scan_id: string
}

const view: RecordView<Recorded> = {
  kind: 'record',
  columns: [
    { key: 'recorded', title: 'Scans recorded' },
    { key: 'first', title: 'First', time: true },
    { key: 'last', title: 'Last', time: true },
    { key: 'latest_face_scan_id', title: 'Latest face scan', whole: true },
  ],
}

export default defineCommand({
  user: 'either',
  options: [
    ['--count <n>', 'scans to record', { parse: positiveInteger, default: 1 }],
    ['--days <n>', 'days they are spread over, up to now', { parse: positiveInteger, default: 1 }],
    ['--seed <n>', 'the same seed gives the same values', { parse: wholeNumber }],
    databaseOption,
  ],
  description: 'Records plausible synthetic scans, as if the user had used the scan link.',
  examples: [
    'facescan sandbox scan --external-user-id 4711',
    'facescan sandbox scan --external-user-id 4711 --count 30 --days 30 --seed 7',
  ],
  async run(ctx, _args, { count, days, seed, db, ...who }) {
    const { recordScans } = await ctx.sandbox()
    const request = { user: eitherId(who), count, days, seed, now: ctx.clock.now() }
    const scans = await withStore(ctx, db, (store) => recordScans(store, request))
    const [first, last] = [scans[0], scans.at(-1)]
    if (!first || !last) return
    const time = (ms: number) => new Date(ms).toISOString()
    await ctx.print(
      {
        recorded: scans.length,
        first: time(first.taken_at_ms),
        last: time(last.taken_at_ms),
        latest_face_scan_id: last.face_scan_id,
      },
      view,
    )
    if (ctx.pen('stderr').terminal && db === undefined) ctx.note(`next: ${await suggestNext(ctx, who)}`)
  },
})

/** The scans are in the built-in sandbox, whichever profile commands use where none is named. */
async function suggestNext(ctx: Context, { externalUserId, userId }: Who): Promise<string> {
  const user =
    externalUserId === undefined ? `--user-id ${userId}` : `--external-user-id ${quoteWord(externalUserId)}`
  const environment = await ctx.session().then(
    (session) => session.environment,
    () => undefined,
  )
  return followUp(
    `biomarkers list ${user} --order desc`,
    environment === 'sandbox' ? ctx.flags : { profile: sandboxProfile },
  )
}
