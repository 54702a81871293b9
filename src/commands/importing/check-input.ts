import { NetworkError } from '../../base/errors.ts'
import { checkFile } from '../../bulk/check.ts'
import { openInput } from '../../bulk/open-input.ts'
import type { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { CheckedInput, ImportSettings } from '../../bulk/types.ts'
import type { Context } from '../../command/context.ts'

/** A checked input that may be checked again against other lookup keys. */
export interface OpenInput {
  checked: CheckedInput
  /** The lookup keys it was checked against; empty where the service could not be asked. */
  keys: readonly string[]
  /** Of the first request, in ms. */
  latencyMs: number | undefined
  recheck(keys: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface CheckRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  results: ResultFolder
}

/** Opens the input and checks every row of it, while a terminal shows how far that is. */
export async function checkInput(ctx: Context, request: CheckRequest): Promise<OpenInput> {
  const { keys, latencyMs } = await askKeys(ctx)
  const input = await openInput(request.file, ctx.io.stdin, ctx.signal)
  const check = async (knownKeys: readonly string[]): Promise<CheckedInput> => {
    const progress = ctx.progress()
    try {
      return await checkFile(input, request.settings, {
        knownKeys: knownKeys.length > 0 ? knownKeys : undefined,
        results: request.results,
        countsOnly: ctx.flags.dryRun,
        signal: ctx.signal,
        onProgress: (read, total) =>
          progress.show(`checking ${Math.floor((100 * read) / Math.max(1, total))} %`),
      })
    } finally {
      progress.clear()
    }
  }
  try {
    const open: OpenInput = {
      checked: await check(keys),
      keys,
      latencyMs,
      async recheck(others) {
        open.checked.rejects?.discard()
        await open.checked.close()
        open.checked = await check(others)
        open.keys = others
      },
      async close() {
        open.checked.rejects?.discard()
        await open.checked.close()
        input.close()
      },
    }
    return open
  } catch (error) {
    input.close()
    throw error
  }
}

/** The lookup keys of the service. A dry run goes without them where there is no network. */
async function askKeys(ctx: Context): Promise<{ keys: readonly string[]; latencyMs: number | undefined }> {
  const api = await ctx.api()
  const startedAt = ctx.clock.monotonic()
  try {
    return { keys: await api.questions.all(), latencyMs: ctx.clock.monotonic() - startedAt }
  } catch (error) {
    if (!ctx.flags.dryRun || !(error instanceof NetworkError)) throw error
    ctx.warn(`lookup keys are not checked: ${error.message}`)
    return { keys: [], latencyMs: undefined }
  }
}
