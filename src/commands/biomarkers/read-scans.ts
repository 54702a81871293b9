import type { CallInput } from '../../contract/endpoint.ts'
import type { contract } from '../../contract/index.ts'
import type { ReplyOf } from '../../contract/names.ts'
import type { Api } from '../../http/client.ts'
import { epochMsOf } from '../../output/time.ts'

/** The sandbox returns at most this many scans per request. The specification has no maximum (spec 8). */
const pageSize = 1000

type Request = CallInput<typeof contract.biomarkers.list>
type Scans = ReplyOf<'biomarkers.list'>

/**
 * Reads scans page by page until at least `limit` scans were read or a page contains nothing new. A page starts at the time of the last
 * scan before it, because several scans can have the same time; the repeated scans are skipped.
 */
export async function readScans(api: Api, { user, query }: Request, limit: number): Promise<Scans> {
  const scans = new Map<string, Scans[number]>()
  let bound = {}
  while (scans.size < limit) {
    const count = scans.size === 0 ? Math.min(pageSize, limit) : pageSize
    const page = await api.biomarkers.list({ user, query: { ...query, ...bound, count } })
    const fresh = page.filter(({ face_scan_id }) => !scans.has(face_scan_id))
    for (const scan of fresh) scans.set(scan.face_scan_id, scan)
    const lastMs = epochMsOf(page.at(-1)?.timestamp)
    const isEnd = count < pageSize && page.length < count
    if (isEnd || fresh.length === 0 || lastMs === undefined) break
    // The bounds of the service are exclusive.
    bound =
      query?.order === 'desc'
        ? { end: new Date(lastMs + 1).toISOString() }
        : { start: new Date(lastMs - 1).toISOString() }
  }
  return [...scans.values()]
}
