import { FacescanError } from '../base/errors.ts'
import type { Context } from '../command/context.ts'
import type { Scan } from '../output/health/scans.ts'

const firstPauseMs = 5_000
const longestPauseMs = 15_000
const slowdown = 1.1

export interface Watching<S extends Scan> {
  /** Scans that are already known. */
  known: readonly S[]
  /** Reads the latest scans, in any order. */
  read(): Promise<readonly S[]>
  /** Stops watching without an error. */
  until: AbortSignal
  /** Milliseconds since the epoch (default: no limit). */
  deadline?: number
  /** Progress text between two requests. `waitedMs` counts from the start. */
  describe(waitedMs: number): string
}

/**
 * The face scans that arrive after the known scans, oldest first. The pause between requests grows while no scan arrives. A
 * temporary failure is reported and retried.
 */
export async function* newScans<S extends Scan>(ctx: Context, watching: Watching<S>): AsyncGenerator<S> {
  const progress = ctx.progress
  const seen = new Set(watching.known.map(idOf))
  const startedAt = ctx.clock.monotonic()
  let pauseMs = firstPauseMs
  try {
    while (
      await wait(ctx, watching, pauseMs, () =>
        progress.show(watching.describe(ctx.clock.monotonic() - startedAt)),
      )
    ) {
      const fresh = (await readPatiently(ctx, watching)).filter((scan) => !seen.has(idOf(scan)))
      progress.clear()
      for (const scan of fresh.toSorted(byTime)) {
        seen.add(idOf(scan))
        yield scan
      }
      pauseMs = fresh.length > 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * slowdown)
    }
  } finally {
    progress.clear()
  }
}

/** Waits until the next request and updates the progress every second. Returns false if watching has ended. */
async function wait(
  ctx: Context,
  { until, deadline }: Pick<Watching<Scan>, 'until' | 'deadline'>,
  pauseMs: number,
  tell: () => void,
): Promise<boolean> {
  const end = Math.min(ctx.clock.monotonic() + pauseMs, deadline ?? Number.POSITIVE_INFINITY)
  const signal = AbortSignal.any([until, ctx.signal])
  while (ctx.clock.monotonic() < end) {
    tell()
    try {
      await ctx.clock.sleep(Math.min(1_000, end - ctx.clock.monotonic()), signal)
    } catch (error) {
      if (until.aborted && !ctx.signal.aborted) return false
      throw error
    }
  }
  return deadline === undefined || end < deadline
}

async function readPatiently<S extends Scan>(ctx: Context, { read }: Watching<S>): Promise<readonly S[]> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FacescanError) || !error.details.retryable) throw error
    ctx.warn(`${error.message}; retrying`)
    return []
  }
}

function idOf({ face_scan_id }: Scan): string {
  return String(face_scan_id)
}

export function byTime(a: Scan, b: Scan): number {
  return Date.parse(String(a.timestamp)) - Date.parse(String(b.timestamp))
}
