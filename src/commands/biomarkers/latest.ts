import { FacescanError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import { alreadyPrinted } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag, toggle } from '../../framework/options.ts'
import type { UserId } from '../../framework/user.ts'
import { positiveInteger } from '../../framework/values.ts'
import { latestView, type Scan, sortScans, unitsSource } from '../../output/health/scans.ts'
import { formats } from '../../output/settings.ts'
import { newScans } from '../new-scans.ts'
import { reachUser } from '../reach-user.ts'

export default defineCommand({
  user: 'token',
  many: { rowFlags: ['count'], excludes: ['watch'], keepsEmpty: true },
  output: 'biomarkers.latest',
  view: latestView,
  options: {
    count: flag('--count <n>', 'number of scans', positiveInteger, { default: '1' }),
    watch: toggle('--watch', 'wait for new scans and show them, until Ctrl-C'),
  },
  description: `With --watch, NDJSON and tables are printed as scans arrive. JSON, YAML, CSV, and TSV are printed as one document after Ctrl-C. ${unitsSource}`,
  examples: [
    'facescan biomarkers latest 4711',
    'facescan biomarkers latest 4711 --watch -o ndjson',
    'facescan biomarkers latest 4711 --jq ".[0].heart_rate"',
  ],
  async run(ctx, { count, watch: keepsWatching, user: given }) {
    const { api, user } = await reachUser(ctx, given)
    const read = (latest: number) => api.biomarkers.latest({ user, query: { count: latest } })
    if (!keepsWatching) return newestOf(await read(count), count)
    await watch(ctx, given, count, () => read(Math.max(10, count)))
    return alreadyPrinted
  },
})

/** The newest `count` scans, because some services return more scans than requested. */
function newestOf<S extends Scan>(scans: S[], count: number): S[] {
  return scans.length > count ? sortScans(scans).slice(-count).toReversed() : scans
}

async function watch(
  ctx: Context,
  user: UserId | undefined,
  count: number,
  read: () => Promise<readonly Scan[]>,
): Promise<void> {
  const print = (scans: readonly Scan[]) => ctx.print(scans, latestView, { user })
  const known = await read()
  const first = sortScans(known).slice(-count)
  const all = [...first]
  const { streams } = formats[ctx.settings.format]
  const until = ctx.drainFirst()
  if (streams && first.length > 0) await print(first)
  ctx.note('watching for new scans; press Ctrl-C to stop')
  const describe = () => `${countOf(all.length, 'scan')} so far, waiting for the next…`
  for await (const scan of newScans(ctx, { known, read, until, describe })) {
    all.push(scan)
    if (streams) await print([scan])
  }
  if (!streams) await print(all)
  // A command that runs until Ctrl-C succeeds after Ctrl-C, and fails after SIGTERM or the end of --max-time.
  const { reason } = until
  if (reason instanceof FacescanError && reason.code !== 'interrupted') throw reason
}
