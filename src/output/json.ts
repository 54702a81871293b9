import { UsageError } from '../base/errors.ts'
import { once } from '../base/functions.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { escapeControls, replaceUnsafe } from './text.ts'
import type { Pen } from './view.ts'

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g
const filterHint = 'Filters use the jq language. To test the filter, run jq on the output of --json.'

/** Escapes control characters in JSON text. The value stays the same. */
export function escapeJson(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return replaceUnsafe(json, (character) => character.split('').map(escapeUnit).join(''))
}

/** A value as JSON, colored and without control characters on a terminal. A missing value is null, so that stdout contains one document. */
export function toJson(value: unknown, pen: Pen, indent: 0 | 2): string {
  const json = toJsonText(value, indent)
  const safe = pen.terminal ? escapeJson(json) : json
  return `${pen.color ? paint(safe, pen) : safe}\n`
}

function paint(json: string, pen: Pen): string {
  return json.replace(tokens, (token, text?: string, colon?: string) => {
    if (text === undefined) return pen.yellow(token)
    return colon === undefined ? pen.green(text) : pen.cyan(text) + colon
  })
}

/** Compiles a jq filter without running it on data. Throws a UsageError for an invalid filter. */
export async function checkFilter(filter: string): Promise<void> {
  await runJq('', filter)
}

/**
 * Runs a jq filter on a value. Each result is a line: strings without quotes, and other results as JSON. If the filter fails later, nothing
 * is printed.
 */
export async function filterJson(value: unknown, filter: string, pen: Pen, indent: 0 | 2): Promise<string> {
  const results = (await filterValue(value, filter))
    .map((result) => (typeof result === 'string' ? result : toJsonText(result, indent)))
    .join('\n')
  const safe = pen.terminal ? escapeControls(results) : results
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
