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

/**
 * Runs a jq filter on a value. Each result is a line: strings without quotes, and other results as JSON. If the filter fails later, nothing
 * is printed.
 */
export async function filterJson(
  value: unknown,
  filter: string,
  terminal: Terminal,
  indent: 0 | 2,
): Promise<string> {
  const results = (await filterValue(value, filter))
    .map((result) => (typeof result === 'string' ? result : toJsonText(result, indent)))
    .join('\n')
  const safe = terminal.isTTY ? escapeControls(results) : results
  return safe === '' ? '' : `${safe}\n`
}

/** The results of a jq filter on a value. */
export async function filterValue(value: unknown, filter: string): Promise<unknown[]> {
  // The filter returns one JSON text, because jq takes seconds to print a large document in many small pieces.
  const answer = await runJq(toJsonText(value), `[${filter}\n] | tojson`)
  if (answer.trim() === '')
    throw new UsageError('--jq: the filter stopped before it returned a result', { hint: filterHint })
  return parseJson(answer) as unknown[]
}

const loadFilter = once(async () => (await import('jq-wasm/inline')).loadJq())

async function runJq(json: string, filter: string): Promise<string> {
  const jq = await loadFilter()
  const { stdout, stderr, exitCode } = withoutConsole(() => jq.raw(json, filter, ['-r']))
  if (exitCode === 0) return stdout
  const [line = ''] = stderr.replace(/^.*?jq: error(?: \([^)]*\))*: /s, '').split('\n')
  const reason = /\njq: \d+ compile errors?$/.test(stderr.trimEnd()) ? explainCompileError(line) : line
  throw new UsageError(`--jq: ${reason}`, { hint: filterHint })
}

/**
 * Runs jq without its console output. If the WebAssembly module of jq runs out of memory, the module prints `Aborted()` on stderr and
 * throws.
 */
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
