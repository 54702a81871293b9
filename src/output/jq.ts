import { runInNewContext } from 'node:vm'
import { UsageError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { escapeControls } from './text.ts'
import type { Terminal } from './view.ts'

const filterHint = 'Filters use the jq language. To test the filter, run jq on the output of --json.'

/** Compiles a jq filter without running it on data. Throws a UsageError for an invalid filter. */
export async function checkFilter(filter: string): Promise<void> {
  await runJq('', filter)
}

/** The results of a jq filter as text, one line per result. Strings have no quotes. Other results are JSON. */
export function resultsText(results: readonly unknown[], { isTTY }: Terminal, indent: 0 | 2): string {
  const lines = results.map((result) => (typeof result === 'string' ? result : toJsonText(result, indent)))
  const text = lines.join('\n')
  return text === '' ? '' : `${isTTY ? escapeControls(text) : text}\n`
}

interface FilterLimit {
  leftMs(): number
  error: Error
}

/** The results of a jq filter on a value. Stops the filter at the time limit. */
export async function filterValue(value: unknown, filter: string, limit?: FilterLimit): Promise<unknown[]> {
  // The filter returns one JSON text. jq would take seconds to print a large document in many small pieces.
  const answer = await runJq(toJsonText(value), `[${filter}\n] | tojson`, limit)
  if (answer.trim() === '')
    throw new UsageError('--jq: the filter stopped before it returned a result', { hint: filterHint })
  return parseJson(answer) as unknown[]
}

const loadFilter = once(async () => (await import('jq-wasm/inline')).loadJq())

async function runJq(json: string, filter: string, limit?: FilterLimit): Promise<string> {
  const jq = await loadFilter()
  const { stdout, stderr, exitCode } = withoutConsole(() =>
    runLimited(() => jq.raw(json, filter, ['-r']), limit),
  )
  if (exitCode === 0) return stdout
  const [line = ''] = stderr.replace(/^.*?jq: error(?: \([^)]*\))*: /s, '').split('\n')
  const reason = /\njq: \d+ compile errors?$/.test(stderr.trimEnd()) ? explainCompileError(line) : line
  throw new UsageError(`--jq: ${reason}`, { hint: filterHint })
}

/** Runs work that blocks the event loop. A timer cannot end such work, but node:vm can. */
function runLimited<Result>(run: () => Result, limit: FilterLimit | undefined): Result {
  if (limit === undefined) return run()
  try {
    return runInNewContext('run()', { run }, { timeout: Math.max(1, Math.ceil(limit.leftMs())) })
  } catch (error) {
    // An error from node:vm is not an instance of this module's Error, so only its code is checked.
    const { code } = error as { code?: unknown }
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? limit.error : error
  }
}

/** Runs jq without its console output. If the memory is full, the WebAssembly module of jq prints `Aborted()` on stderr and throws. */
function withoutConsole<Result>(run: () => Result): Result {
  const { error: print } = console
  console.error = () => undefined
  try {
    return run()
  } catch (error) {
    const isMemory = error instanceof Error && /^R(untime|ange)Error$/.test(error.name)
    if (!isMemory) throw error
    throw new UsageError('--jq: the filter needs too much memory', { hint: filterHint })
  } finally {
    console.error = print
  }
}

function explainCompileError(line: string): string {
  return line
    .replace(/(?: \(Unix shell quoting issues\?\))? at <top-level>.*/, '')
    .replace('end of file', 'end of filter')
    .replace(/^Top-level program not given.*/, 'the filter is empty')
}
