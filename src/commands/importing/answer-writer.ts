import { span } from '../../base/clock.ts'
import { requireDirectory } from '../../base/paths.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import { identify } from '../../bulk/summary.ts'
import { ActiveWriters, type BloomFilter, type Writer } from '../../bulk/writers/active-writers.ts'
import type { Context } from '../../framework/context.ts'

/** Identifies the service. The path is included, because two services may share a host. */
export function describeService(baseUrl: string | undefined): string {
  if (baseUrl === undefined) return 'the built-in sandbox'
  const { host, pathname } = new URL(baseUrl)
  return host + pathname.replace(/\/$/, '')
}

/** Opens the records of commands that are saving answers on this machine. The import adds its own record and reads the others. */
export function openImportWriters(ctx: Context, header: HeaderRecord, users: BloomFilter): ActiveWriters {
  const { id, at, host, settings } = header
  const { input_sha256, settings_sha256 } = identify(header)
  const { shard } = settings
  const part = shard && { input: `${input_sha256} ${settings_sha256} ${shard.count}`, index: shard.index }
  // The ID of the writer contains the start time of the import. Otherwise, a removed import and a new import of the same file would have
  // the same ID.
  return openWriters(ctx, host, { id: `import ${id} (started ${new Date(at).toISOString()})`, part, users })
}

/**
 * Waits if another command has just saved answers for the same users. After the wait, the time of a new answer shows that this import saved
 * it.
 */
export async function awaitQuiet(
  { clock, note }: Context,
  writers: ActiveWriters,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = await writers.quietAfterMs()
  if (waitMs === 0) return
  note(`waiting ${span(waitMs / 1000)} because another command has just saved answers for the same users`)
  await clock.sleep(waitMs, signal).catch(() => undefined)
}

export function openWriters({ paths, clock }: Context, host: string, self: Writer): ActiveWriters {
  return new ActiveWriters({ stateDirectory: requireDirectory(paths, 'state'), host, clock, self })
}
