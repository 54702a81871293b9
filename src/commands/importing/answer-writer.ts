import { FacescanError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/system/paths.ts'
import { span } from '../../base/text/duration.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { identify } from '../../bulk/summary.ts'
import { type Writer, WriterRegister } from '../../bulk/writers/register.ts'
import { Rivals } from '../../bulk/writers/rivals.ts'
import { UserFilter } from '../../bulk/writers/user-filter.ts'
import type { Context } from '../../command/context.ts'

/** Interval at which a running import renews its mark. */
export const heartbeatMs = 2_000

/** Includes the path, because two services may share a host. */
export function describeService(baseUrl: string | undefined): string {
  if (baseUrl === undefined) return 'the built-in sandbox'
  const { host, pathname } = new URL(baseUrl)
  return host + pathname.replace(/\/$/, '')
}

/** The mark of this import, and the marks of other commands. */
export interface ImportWriter {
  rivals: Rivals
  /** Sets or renews the mark. `settleMs` is how long requests may still be applied if this process ends. */
  enter(settleMs: number): Promise<void>
  leave(settleMs: number): Promise<void>
  /** Waits until earlier requests for the same users cannot be confused with requests of this import. */
  awaitQuiet(signal: AbortSignal): Promise<void>
}

export async function openImportWriter(
  ctx: Context,
  header: HeaderRecord,
  users: UserFilter,
): Promise<ImportWriter> {
  const { clock } = ctx
  const { id, host, settings } = header
  const { input_sha256, settings_sha256 } = identify(header)
  const { shard } = settings
  const part = shard && { input: `${input_sha256} ${settings_sha256} ${shard.count}`, index: shard.index }
  const self: Writer = { id: `import ${id}`, part, users }
  const register = await openRegister(ctx, host)
  const rivals = new Rivals({ register, self, clock })
  return {
    rivals,
    enter: (settleMs) => register.enter(self, clock.now() + 2 * heartbeatMs + settleMs),
    leave: (settleMs) => register.leave(self, clock.now() + settleMs),
    async awaitQuiet(signal) {
      const waitMs = await rivals.quietAfterMs()
      if (waitMs === 0) return
      ctx.note(
        `waiting ${span(waitMs / 1000)} because another command has just saved answers for the same users`,
      )
      await clock.sleep(waitMs, signal).catch(() => undefined)
    },
  }
}

/** Runs `save` with a mark for imports on this machine. Without `user`, the mark applies to all users. */
export async function markSave<T>(
  ctx: Context,
  user: { external_user_id?: string; user_id?: string } | undefined,
  save: () => Promise<T>,
): Promise<T> {
  if (ctx.flags.dryRun || ctx.paths.state === undefined) return save()
  const register = await openRegister(ctx, describeService((await ctx.session()).baseUrl))
  const id = user?.external_user_id
  const users =
    id === undefined
      ? new UserFilter(new Uint8Array(1), true)
      : UserFilter.of([{ kind: 'external_user_id', id }])
  const self = { id: `process ${process.pid}`, users }
  const { timeout } = ctx.flags
  let settleMs = timeout
  await register.enter(self, ctx.clock.now() + 2 * timeout)
  try {
    const saved = await save()
    settleMs = 0
    return saved
  } catch (error) {
    const { status = 500 } = error instanceof FacescanError ? error.details : {}
    if (status < 500) settleMs = 0
    throw error
  } finally {
    await register.leave(self, ctx.clock.now() + settleMs)
  }
}

async function openRegister(ctx: Context, host: string): Promise<WriterRegister> {
  return new WriterRegister(requireDirectory(ctx.paths, 'state'), host, () => ctx.clock.now())
}
