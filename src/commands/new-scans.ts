import { FacescanError } from '../base/errors.ts'
import type { Context } from '../framework/context.ts'
import { type Scan, sortScans } from '../output/health/scans.ts'

const firstPauseMs = 5_000
const longestPauseMs = 15_000
const slowdown = 1.1

export interface Watching<S extends Scan> {
  known: readonly S[]
  /** Reads the latest scans. The order of the scans is not important. */
  read(): Promise<readonly S[]>
  /** If this signal is aborted, watching ends without an error. */
  until: AbortSignal
  /** Time at which the watch for new scans ends, in ms of the monotonic clock (default: no limit). */
  deadline?: number
  /** Progress text between two requests. `waitedMs` is the time since watching started. */
  describe(waitedMs: number): string
}

/** Yields new face scans, oldest first. The pause between requests grows until a new scan arrives. Temporary failures are retried. */
export async function* newScans<S extends Scan>(
  ctx: Context,
  { known, read, until, deadline = Number.POSITIVE_INFINITY, describe }: Watching<S>,
): AsyncGenerator<S> {
  const seen = new Set(known.map(idOf))
  const startedAt = ctx.clock.monotonic()
  const showTime = () => ctx.progress.show(describe(ctx.clock.monotonic() - startedAt))
  let pauseMs = firstPauseMs
  try {
    while (await wait(ctx, Math.min(ctx.clock.monotonic() + pauseMs, deadline), until, showTime)) {
      if (ctx.clock.monotonic() >= deadline) return
      const fresh = (await readPatiently(ctx, read)).filter((scan) => !seen.has(idOf(scan)))
      ctx.progress.clear()
      for (const scan of sortScans(fresh)) {
        seen.add(idOf(scan))
        yield scan
      }
      pauseMs = fresh.length > 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * slowdown)
    }
  } finally {
    ctx.progress.clear()
  }
}

/** Waits until `endMs` and calls `showTime` each second. Returns false if `until` is aborted. */
async function wait(ctx: Context, endMs: number, until: AbortSignal, showTime: () => void): Promise<boolean> {
  const signal = AbortSignal.any([until, ctx.signal])
  try {
    while (ctx.clock.monotonic() < endMs) {
      showTime()
      await ctx.clock.sleep(Math.min(1_000, endMs - ctx.clock.monotonic()), signal)
    }
    return true
  } catch (error) {
    if (until.aborted && !ctx.signal.aborted) return false
    throw error
  }
}

async function readPatiently<S>(ctx: Context, read: () => Promise<readonly S[]>): Promise<readonly S[]> {
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
