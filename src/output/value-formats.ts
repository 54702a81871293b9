import { toJsonText } from '../base/json.ts'
import { isValue, type OutputFormat, type OutputSettings, type ValueFormat } from './settings.ts'
import { escapeJson } from './text.ts'
import type { AnyView, Pen } from './view.ts'

/** Writes values in one format. */
export interface ValueWriter {
  /** The document for one result. `items` are the rows of the result, or the result itself. */
  document(value: unknown, items: readonly unknown[], pen: Pen): string
  /** Indentation of the results of `--jq`. */
  indent: 0 | 2
  /** Parts of one document with values that arrive one after the other. */
  start: string
  separator: string
  item(value: unknown, pen: Pen): string
  end(items: number): string
}

const json: ValueWriter = {
  document: (value, _, pen) => toJson(value, pen, 2),
  indent: 2,
  start: '[',
  separator: ',',
  item: (value, pen) => `\n${toJson(value, pen, 0).trimEnd()}`,
  end: (items) => (items === 0 ? ']\n' : '\n]\n'),
}

const ndjson: ValueWriter = {
  document: (_, items, pen) => items.map((item) => toJson(item, pen, 0)).join(''),
  indent: 0,
  start: '',
  separator: '',
  item: (value, pen) => toJson(value, pen, 0),
  end: () => '',
}

async function loadYaml(): Promise<ValueWriter> {
  const { toYaml } = await import('./yaml.ts')
  return {
    document: (value, _, pen) => toYaml(value, pen),
    indent: 2,
    start: '',
    separator: '',
    item: (value, pen) => toYaml([value], pen),
    end: (items) => (items === 0 ? '[]\n' : ''),
  }
}

const writers: Record<ValueFormat, () => ValueWriter | Promise<ValueWriter>> = {
  json: () => json,
  ndjson: () => ndjson,
  yaml: loadYaml,
}

/** The writer of a format. Formats with rows need no writer, because their rows are independent. */
export async function loadValueWriter(format: OutputFormat): Promise<ValueWriter | undefined> {
  return isValue(format) ? writers[format]() : undefined
}

/** The result of a command as one document, or the results of the filter. */
export async function renderValue(
  value: unknown,
  view: AnyView<unknown>,
  { format, fields, jq }: Pick<OutputSettings, 'fields' | 'jq'> & { format: ValueFormat },
  pen: Pen,
): Promise<string> {
  const { document, indent } = await writers[format]()
  const shown = fields === undefined ? value : await narrow(value, view, fields)
  if (jq !== undefined) return (await import('./jq.ts')).filterJson(shown, jq, pen, indent)
  if (fields !== undefined) return document(shown, Array.isArray(shown) ? shown : [shown], pen)
  return document(shown, rowsOf(shown, view), pen)
}

async function narrow(value: unknown, view: AnyView<unknown>, fields: readonly string[]): Promise<unknown> {
  const { selectFields } = await import('./fields.ts')
  return selectFields(value, fields, { view, rows: rowsOf(value, view) })
}

/** The rows of a value. A missing record (the response was empty) has no rows. */
export function rowsOf(value: unknown, view: AnyView<unknown>): readonly unknown[] {
  if (value === undefined || value === null) return []
  return 'rows' in view ? view.rows(value) : [value]
}

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** A value as JSON, colored and without control characters on a terminal. A missing value is null, so that stdout contains one document. */
function toJson(value: unknown, pen: Pen, indent: 0 | 2): string {
  const text = toJsonText(value, indent)
  const safe = pen.terminal ? escapeJson(text) : text
  return `${pen.color ? paint(safe, pen) : safe}\n`
}

function paint(text: string, pen: Pen): string {
  return text.replace(tokens, (token, word?: string, colon?: string) => {
    if (word === undefined) return pen.yellow(token)
    return colon === undefined ? pen.green(word) : pen.cyan(word) + colon
  })
}
