import { UsageError } from '../base/errors.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { escapeControls } from './text.ts'
import type { Pen } from './view.ts'

const hint = 'The filter language is that of jq; try it on the output of --json first.'

function explain(error: unknown): UsageError {
  const said = error instanceof Error ? error.message : String(error)
  const text = said.startsWith('Aborted') ? 'the filter takes more memory than there is' : said
  const lines = text.replace(/^.*?jq: error(?: \(at [^)]*\))?: /s, '').split('\n')
  return new UsageError(`--jq: ${lines[0]}`, { hint })
}

/** Compiles a filter, whole by itself, without running it; throws a UsageError for one that does not compile. */
export async function checkJq(filter: string): Promise<void> {
  const { default: jq } = await import('jq-wasm')
  await jq.raw('null', `def filter: ${filter}\n; empty`).catch((error: unknown) => {
    throw explain(error)
  })
}

/**
 * Runs a jq filter over a value: texts bare, everything else as JSON, one result after the other.
 * The results are collected before any is printed, so that a filter that fails half-way prints nothing.
 */
export async function runJq(value: unknown, filter: string, pen: Pen, indent: 0 | 2): Promise<string> {
  const { default: jq } = await import('jq-wasm')
  const json = toJsonText(value)
  // As one text: jq writes a document piece by piece, which takes seconds for a large one here.
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
  if (answer.trim() === '') throw new UsageError('--jq: the filter stopped before its end', { hint })
  return parseJson(answer) as unknown[]
}
