import type { Io } from '../base/io.ts'
import { toJson } from './json.ts'
import { hasRows, isForPeople, type OutputFormat, type OutputSettings, type RowsFormat } from './settings.ts'
import { escapeControls, escapeDeep, oneLine } from './text.ts'
import type { AnyView, NextSteps, Pen } from './view.ts'
import { write } from './write.ts'

/**
 * Writes the result of a command to stdout, after the entire text was rendered. `pen` is the pen for stdout. Rejects with `ClosedPipe` if
 * the reader closed the pipe.
 */
export async function print<T>(
  value: T,
  view: AnyView<T>,
  settings: OutputSettings,
  { io, pen, user }: { io: Io; pen: Pen; user?: string | undefined },
): Promise<void> {
  const { format } = settings
  const render = hasRows(format) ? renderValues(format) : renderers[format]
  const body = await render(value, view as AnyView<unknown>, settings, pen)
  const isTitled = pen.terminal && isForPeople(settings) && user !== undefined && body !== ''
  const text = isTitled && view.subject ? `${titleOf(view.subject, user, pen)}${body}` : body
  if (text !== '') await write(io.stdout, text)
}

function titleOf(subject: string, user: string, pen: Pen): string {
  return `${pen.bold(`${subject} of user ${oneLine(escapeControls(user))}`)}\n\n`
}

/** The note about an empty table. Undefined for any other result. */
export function remarkOn<T>(value: T, view: AnyView<T>, next: NextSteps): string | undefined {
  if (!('rows' in view) || rowsOf(value, view as AnyView<unknown>).length > 0) return undefined
  return typeof view.empty === 'string' ? view.empty : view.empty(next)
}

type Render = (value: unknown, view: AnyView<unknown>, settings: OutputSettings, pen: Pen) => Promise<string>

const renderJson: Render = async (value, view, { fields, jq }, pen) => {
  const shown = await narrowed(value, view, fields)
  return jq === undefined ? toJson(shown, pen, 2) : (await import('./jq.ts')).filterJson(shown, jq, pen, 2)
}

const renderLines: Render = async (value, view, { fields, jq }, pen) => {
  const shown = await narrowed(value, view, fields)
  if (jq !== undefined) return (await import('./jq.ts')).filterJson(shown, jq, pen, 0)
  const items = fields === undefined ? rowsOf(shown, view) : Array.isArray(shown) ? shown : [shown]
  return items.map((item) => toJson(item, pen, 0)).join('')
}

const renderYaml: Render = async (value, _, __, pen) => (await import('./yaml.ts')).toYaml(value, pen)

function renderValues(format: RowsFormat): Render {
  return async (value, view, { header, excel }, { terminal }) => {
    const { renderSeparated } = await import('./separated.ts')
    if (!('text' in view)) {
      return renderSeparated(rowsOf(value, view), view.columns, { format, header, excel }, terminal)
    }
    const column = { key: 'value', title: 'value', value: (text: unknown) => text }
    return renderSeparated([view.text(value)], [column], { format, header: false, excel }, terminal)
  }
}

/** Escapes control characters in the value, then shows the drawing, or the data with its heading and legend. */
const renderForPeople: Render = async (value, view, settings, pen) => {
  const safe = escapeDeep(value)
  const drawing = await view.draw?.(safe, pen, settings)
  if (drawing !== undefined) return endLine(drawing)
  const body = endLine(await renderData(safe, view, settings, pen))
  if (!pen.terminal || body === '') return body
  return [view.before?.(safe, pen), body, view.after?.(safe, pen)].map(endLine).filter(Boolean).join('\n')
}

const renderData: Render = async (value, view, settings, pen) => {
  if ('text' in view) return view.text(value)
  const rows = rowsOf(value, view)
  if (rows.length === 0) return ''
  const { renderRecord, renderTable } = await import('./table.ts')
  const isRecord = !('rows' in view) && pen.terminal
  return isRecord ? renderRecord(value, view.columns, pen) : renderTable(rows, view.columns, pen, settings)
}

const renderers: Record<Exclude<OutputFormat, RowsFormat>, Render> = {
  table: renderForPeople,
  json: renderJson,
  ndjson: renderLines,
  yaml: renderYaml,
}

function endLine(text = ''): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** The rows of a value. A missing record (the response was empty) has no rows. */
function rowsOf(value: unknown, view: AnyView<unknown>): readonly unknown[] {
  if (value === undefined || value === null) return []
  return 'rows' in view ? view.rows(value) : [value]
}

async function narrowed(
  value: unknown,
  view: AnyView<unknown>,
  fields: readonly string[] | undefined,
): Promise<unknown> {
  if (fields === undefined) return value
  const { selectFields } = await import('./fields.ts')
  return selectFields(value, fields, { view, rows: rowsOf(value, view) })
}
