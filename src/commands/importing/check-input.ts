import { NetworkError } from '../../base/errors.ts'
import { type CheckedInput, checkFile } from '../../bulk/check.ts'
import { type InputFile, openInput } from '../../bulk/open-input.ts'
import type { ResultFolder } from '../../bulk/results/result-folder.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import type { Context } from '../../command/context.ts'

/** A checked input that can be checked again with other lookup keys. */
export interface OpenInput {
  checked: CheckedInput
  results: ResultFolder
  /** Empty if the service did not respond. */
  keys: readonly string[]
  /** Latency of the first request, in ms. */
  latencyMs: number | undefined
  recheck(keys: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface CheckRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  /** `identity` is the hash of the content if the input is a stream. */
  openResults(identity: string | undefined): ResultFolder
}

/** Opens the input, checks every row, and shows the progress. */
export async function checkInput(ctx: Context, request: CheckRequest): Promise<OpenInput> {
  const { keys, latencyMs } = await askKeys(ctx)
  const input = await openInput(request.file, ctx.io.stdin, ctx.signal)
  const results = request.openResults(input.path === undefined ? input.identity?.sha256 : undefined)
  const check = (others: readonly string[]) => checkAgainst(ctx, input, request.settings, results, others)
  try {
    const open: OpenInput = {
      checked: await check(keys),
      results,
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

async function checkAgainst(
  ctx: Context,
  input: InputFile,
  settings: ImportSettings,
  results: ResultFolder,
  keys: readonly string[],
): Promise<CheckedInput> {
  const progress = ctx.progress
  try {
    return await checkFile(input, settings, {
      knownKeys: keys.length > 0 ? keys : undefined,
      results: results.isUsed ? results : undefined,
      countsOnly: ctx.flags.dryRun,
      signal: ctx.signal,
      onProgress: (read, total) =>
        progress.show(`checking the file: ${Math.floor((100 * read) / Math.max(1, total))}%`),
    })
  } finally {
    progress.clear()
  }
}

/** A dry run without a network continues without lookup keys. */
async function askKeys(ctx: Context): Promise<{ keys: readonly string[]; latencyMs: number | undefined }> {
  const api = await ctx.api()
  const startedAt = ctx.clock.monotonic()
  try {
    return { keys: await api.questions.all(), latencyMs: ctx.clock.monotonic() - startedAt }
  } catch (error) {
    if (!ctx.flags.dryRun || !(error instanceof NetworkError)) throw error
    ctx.warn(`lookup keys were not checked: ${error.message}`)
    return { keys: [], latencyMs: undefined }
  }
}
