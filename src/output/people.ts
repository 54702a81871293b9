import type { OutputSettings } from './settings.ts'
import { escapeControls, escapeDeep, oneLine } from './text.ts'
import { rowsOf } from './value-formats.ts'
import type { AnyView, NextSteps, Terminal } from './view.ts'

/** The drawing of a result, or its data with a heading and a legend. Control characters in the value are escaped first. */
export async function renderForPeople(
  value: unknown,
  view: AnyView<unknown>,
  settings: OutputSettings,
  terminal: Terminal,
  user: string | undefined,
): Promise<string> {
  const safe = escapeDeep(value)
  const drawing = await view.draw?.(safe, terminal, settings)
  const data = drawing ?? (await renderData(safe, view, settings, terminal))
  if (!terminal.isTTY || data === '') return endLine(data)
  const isTitled = user !== undefined && view.subject !== undefined
  const title = isTitled ? terminal.bold(`${view.subject} of user ${oneLine(escapeControls(user))}`) : ''
  const [before, after] =
    drawing === undefined ? [view.before?.(safe, terminal), view.after?.(safe, terminal)] : []
  return [title, before, data, after].map(endLine).filter(Boolean).join('\n')
}

function endLine(text = ''): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
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

/** The note about an empty table. Undefined for any other result. */
export function remarkOn<T>(value: T, view: AnyView<T>, next: NextSteps): string | undefined {
  if (!('rows' in view) || rowsOf(value, view as AnyView<unknown>).length > 0) return undefined
  return typeof view.empty === 'string' ? view.empty : view.empty(next)
}
