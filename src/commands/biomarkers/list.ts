import { ServiceError } from '../../base/errors.ts'
import { countOf } from '../../base/text.ts'
import { type BiomarkerName, biomarkerNames } from '../../contract/biomarkers.ts'
import type { CallInput } from '../../contract/endpoint.ts'
import type { contract, ReplyOf } from '../../contract/index.ts'
import { maximumScans, type Order, orders } from '../../contract/values.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { cutList, limitOf, limitOptions } from '../../framework/limit.ts'
import { flag, optionalValue } from '../../framework/options.ts'
import { dateTime } from '../../framework/times.ts'
import { oneOf } from '../../framework/values.ts'
import type { Api } from '../../http/client.ts'
import { biomarkerChartView } from '../../output/health/charts.ts'
import { scansView } from '../../output/health/scans.ts'
import { isForPeople } from '../../output/settings.ts'
import { epochMsOf } from '../../output/time.ts'
import type { NextSteps } from '../../output/view.ts'
import { reachUser } from '../reach-user.ts'

/** Suggested names for --chart. The flag accepts any unique start of a name. */
const shortNames = [
  'heart_rate',
  'respiratory',
  'heart_rate_variability',
  'resonant',
  'systolic',
  'diastolic',
] as const

/** A biomarker by its name or the start of its name. Undefined if `--chart` has no value, because all biomarkers are then drawn. */
function chartName(text: string): BiomarkerName | undefined {
  if (text === '') return undefined
  const [name, ...others] = biomarkerNames.filter((known) => known.startsWith(text))
  return name && others.length === 0 ? name : oneOf(biomarkerNames)(text)
}

/** Number of scans that the service returns by default (spec 8). */
const usualScans = 10

/** Maximum number of scans per request. facescan sets this limit, because the specification has no maximum (spec 8). */
const pageSize = maximumScans

export default defineCommand({
  user: 'token',
  many: { rowFlags: ['start', 'end', 'order', 'limit'], excludes: ['chart'] },
  output: 'biomarkers.list',
  view: scansView,
  options: {
    start: flag('--start <time>', 'scans after this time, such as 2026-03-01 or 7d', dateTime),
    end: flag('--end <time>', 'scans before this time', dateTime),
    order: flag('--order <order>', 'order by time', oneOf(orders), { usual: 'desc' }),
    chart: optionalValue('--chart [names]', 'draw charts', chartName, { choices: shortNames, many: true }),
    ...limitOptions('scans', usualScans),
  },
  description: 'For units and times, see `facescan help formats`.',
  examples: ['facescan biomarkers list 4711 --start 7d --chart=systolic,diastolic'],
  check: ({ start, end }) =>
    start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
      ? ['--start must be before --end']
      : [],
  async run(ctx, { start, end, order: chosen, chart, user: given, ...options }) {
    const { api, user } = await reachUser(ctx, given)
    const limit = limitOf(options, usualScans)
    const order = chosen ?? 'desc'
    // One additional scan is requested, to find out whether the list is complete.
    const received = await readScans(api, { user, query: { start, end, order } }, limit + 1)
    const scans = inOrder(received, order)
    if (scans.some((scan, at) => scan !== received[at]))
      ctx.warn('the service did not return the scans in the requested order, so some scans may be missing')
    if (chosen === undefined && scans.length > 1 && !isForPeople(ctx.settings))
      ctx.note(
        'the scans are sorted newest first (earlier versions: oldest first); for oldest first, use --order asc',
      )
    const { value, cut } = cutList(scans, options, usualScans, [
      order === 'desc' ? 'newest' : 'oldest',
      'scan',
    ])
    const names = chart.filter((name) => name !== undefined)
    const view = chart.length === 0 ? scansView : biomarkerChartView(names)
    const hasPeriod = start !== undefined || end !== undefined
    const empty = ({ command }: NextSteps) =>
      `no face scans in this period; show the newest scans: ${command('biomarkers list')}`
    return commandResult(value, { view: hasPeriod ? { ...view, empty } : view, cut })
  },
})

type ScanRequest = CallInput<typeof contract.biomarkers.list>
type Scans = ReplyOf<'biomarkers.list'>

/**
 * Reads scans page by page, because a service may return fewer scans than requested. Stops at `limit` scans, or if a page contains no new
 * scan. Several scans can have the same time, so the next page starts at the time of the last scan. Scans that were already read are
 * skipped.
 */
async function readScans(api: Api, { user, query }: ScanRequest, limit: number): Promise<Scans> {
  const scans = new Map<string, Scans[number]>()
  let bound = {}
  while (scans.size < limit) {
    const count = Math.min(pageSize, limit)
    const page = await api.biomarkers.list({ user, query: { ...query, ...bound, count } })
    const fresh = page.filter(({ face_scan_id }) => !scans.has(face_scan_id))
    for (const scan of fresh) scans.set(scan.face_scan_id, scan)
    const lastMs = epochMsOf(page.at(-1)?.timestamp)
    if (fresh.length === 0 && page.length >= count && scans.size > 0) throw repeatedPage(scans.size)
    if (fresh.length === 0 || lastMs === undefined) break
    // The service excludes scans at the exact start or end time (spec 4.3). The time is moved by a millisecond to include scans at this
    // time.
    bound =
      query?.order === 'desc'
        ? { end: new Date(lastMs + 1).toISOString() }
        : { start: new Date(lastMs - 1).toISOString() }
  }
  return [...scans.values()]
}

/** Sorts the scans by time. If two scans have the same time, or if the time of a scan cannot be read, the comparison keeps their order. */
function inOrder(scans: Scans, order: Order): Scans {
  const times = new Map(scans.map((scan) => [scan, epochMsOf(scan.timestamp) ?? Number.NaN]))
  const direction = order === 'asc' ? 1 : -1
  return scans.toSorted((a, b) => direction * ((times.get(a) ?? 0) - (times.get(b) ?? 0)) || 0)
}

/** The error if a full page contains no new scan. The service then ignores the requested time, so the remaining scans cannot be read. */
function repeatedPage(read: number): ServiceError {
  return new ServiceError('server', `the service returned the same ${countOf(read, 'scan')} again`, {
    hint: 'Request fewer scans with --limit, or a shorter period with --start and --end.',
  })
}
