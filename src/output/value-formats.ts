import { parseJson, toJsonText } from '../base/json.ts'
import { isValue, type OutputFormat, type OutputSettings, type ValueFormat } from './settings.ts'
import { escapeControls, escapeJson } from './text.ts'
import type { AnyView, Terminal } from './view.ts'

export interface ValueWriter {
  /** The document for one result. `items` are the rows of the result, or the result itself. */
  document(value: unknown, items: readonly unknown[], terminal: Terminal): string
  /** Indentation of the results of `--jq`. */
  indent: 0 | 2
  /** The parts of a document whose values arrive one after another. */
  start: string
  separator: string
  item(value: unknown, terminal: Terminal): string
  end(items: number): string
}

const json: ValueWriter = {
  document: (value, _, terminal) => toJson(value, terminal, 2),
  indent: 2,
  start: '[',
  separator: ',',
  item: (value, terminal) => `\n${toJson(value, terminal, 0).trimEnd()}`,
  end: (items) => (items === 0 ? ']\n' : '\n]\n'),
}

const ndjson: ValueWriter = {
  document: (_, items, terminal) => items.map((item) => toJson(item, terminal, 0)).join(''),
  indent: 0,
  start: '',
  separator: '',
  item: (value, terminal) => toJson(value, terminal, 0),
  end: () => '',
}

async function loadYaml(): Promise<ValueWriter> {
  const { stringify } = await import('yaml')
  // Dates and words such as `no` are quoted, so that the output has the same meaning in YAML 1.1 and YAML 1.2.
  const settings = { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 } as const
  const toYaml = (value: unknown, { isTTY }: Terminal) => {
    // A time becomes text and a missing value becomes null, as in JSON.
    const text = stringify(parseJson(toJsonText(value)), settings)
    return isTTY ? text.split('\n').map(escapeControls).join('\n') : text
  }
  return {
    document: (value, _, terminal) => toYaml(value, terminal),
    indent: 2,
    start: '',
    separator: '',
    item: (value, terminal) => toYaml([value], terminal),
    end: (items) => (items === 0 ? '[]\n' : ''),
  }
}

const writers: Record<ValueFormat, () => ValueWriter | Promise<ValueWriter>> = {
  json: () => json,
  ndjson: () => ndjson,
  yaml: loadYaml,
}

/** The writer for a format that prints one value for the complete output. Undefined for formats that print each row separately. */
export async function loadValueWriter(format: OutputFormat): Promise<ValueWriter | undefined> {
  return isValue(format) ? writers[format]() : undefined
}

/** The result of a command as one document. If a filter is set, the document contains the results of the filter. */
export async function renderValue(
  value: unknown,
  view: AnyView<unknown>,
  { format, fields }: Pick<OutputSettings, 'fields'> & { format: ValueFormat },
  terminal: Terminal,
  filter: ((value: unknown) => Promise<unknown[]>) | undefined,
): Promise<string> {
  const { document, indent } = await writers[format]()
  const rows = rowsOf(value, view)
  const shown =
    fields === undefined ? value : (await import('./fields.ts')).selectFields(value, fields, { view, rows })
  if (filter) return (await import('./jq.ts')).resultsText(await filter(shown), terminal, indent)
  return document(shown, fields === undefined ? rows : [shown].flat(), terminal)
}

/** The rows of a value. An empty response has no rows. */
export function rowsOf(value: unknown, view: AnyView<unknown>): readonly unknown[] {
  if (value === undefined || value === null) return []
  return 'rows' in view ? view.rows(value) : [value]
}

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** A value as JSON. A missing value is null, so that stdout contains one document. */
function toJson(value: unknown, terminal: Terminal, indent: 0 | 2): string {
  const text = toJsonText(value, indent)
  const safe = terminal.isTTY ? escapeJson(text) : text
  if (!terminal.color) return `${safe}\n`
  const painted = safe.replace(tokens, (token, word?: string, colon?: string) => {
    if (word === undefined) return terminal.yellow(token)
    return colon === undefined ? terminal.green(word) : terminal.cyan(word) + colon
  })
  return `${painted}\n`
}
