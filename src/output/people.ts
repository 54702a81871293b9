import type { OutputSettings } from './settings.ts'
import { escapeControls, escapeDeep, oneLine } from './text.ts'
import { rowsOf } from './value-formats.ts'
import type { AnyView, NextSteps, Terminal } from './view.ts'

/**
 * Renders a result for people: its drawing, or its data with a heading and a legend. Escapes control characters in the value first. On a
 * terminal, a title shows the name of the user.
 */
export async function renderForPeople(
  value: unknown,
  view: AnyView<unknown>,
  settings: OutputSettings,
  terminal: Terminal,
  user: string | undefined,
): Promise<string> {
  const body = await renderBody(escapeDeep(value), view, settings, terminal)
  const isTitled = terminal.isTTY && user !== undefined && view.subject !== undefined && body !== ''
  return isTitled
    ? `${terminal.bold(`${view.subject} of user ${oneLine(escapeControls(user))}`)}\n\n${body}`
    : body
}

async function renderBody(
  value: unknown,
  view: AnyView<unknown>,
  settings: OutputSettings,
  terminal: Terminal,
): Promise<string> {
  const drawing = await view.draw?.(value, terminal, settings)
  if (drawing !== undefined) return endLine(drawing)
  const data = endLine(await renderData(value, view, settings, terminal))
  if (!terminal.isTTY || data === '') return data
  return [view.before?.(value, terminal), data, view.after?.(value, terminal)]
    .map(endLine)
    .filter(Boolean)
    .join('\n')
}

async function renderData(
  value: unknown,
  view: AnyView<unknown>,
  settings: OutputSettings,
  terminal: Terminal,
): Promise<string> {
  if ('text' in view) return view.text(value)
  const rows = rowsOf(value, view)
  if (rows.length === 0) return ''
  const { renderRecord, renderTable } = await import('./table.ts')
  const isRecord = !('rows' in view) && terminal.isTTY
  return isRecord
    ? renderRecord(value, view.columns, terminal)
    : renderTable(rows, view.columns, terminal, settings)
}

function endLine(text = ''): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** The note about an empty table. Undefined for any other result. */
export function remarkOn<T>(value: T, view: AnyView<T>, next: NextSteps): string | undefined {
  if (!('rows' in view) || rowsOf(value, view as AnyView<unknown>).length > 0) return undefined
  return typeof view.empty === 'string' ? view.empty : view.empty(next)
}
