import { UsageError } from '../base/errors.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { escapeControls } from './text.ts'
import type { Pen } from './view.ts'

const hint = 'Filters use the jq language. Test the filter on the output of --json.'

function explain(error: unknown): UsageError {
  const said = error instanceof Error ? error.message : String(error)
  const text = said.startsWith('Aborted') ? 'the filter needs too much memory' : said
  const lines = text.replace(/^.*?jq: error(?: \(at [^)]*\))?: /s, '').split('\n')
  return new UsageError(`--jq: ${lines[0]}`, { hint })
}

/** Compiles a filter without running it. Throws a UsageError if it does not compile. */
export async function checkJq(filter: string): Promise<void> {
  const { default: jq } = await import('jq-wasm')
  await jq.raw('null', `def filter: ${filter}\n; empty`).catch((error: unknown) => {
    throw explain(error)
  })
}

/**
 * Runs a jq filter on a value. Each result is a line: strings without quotes, other results as JSON. A filter that fails in the
 * middle prints nothing.
 */
export async function runJq(value: unknown, filter: string, pen: Pen, indent: 0 | 2): Promise<string> {
  const { default: jq } = await import('jq-wasm')
  const json = toJsonText(value)
  // jq prints a large document in many small pieces, and that takes seconds. The filter therefore returns one JSON text.
  const answer = await jq.raw(json, `[${filter}\n] | tojson`, ['-r']).catch((error: unknown) => {
    throw explain(error)
  })
  const results = readResults(answer)
    .map((result) => (typeof result === 'string' ? result : toJsonText(result, indent)))
    .join('\n')
  const safe = pen.terminal ? escapeControls(results) : results
  return safe === '' ? '' : `${safe}\n`
}

function readResults(answer: string): unknown[] {
  if (answer.trim() === '') throw new UsageError('--jq: the filter stopped early', { hint })
  return parseJson(answer) as unknown[]
}
