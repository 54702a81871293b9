import type { Io } from '../base/io.ts'
import { hasRows, isValue, type OutputSettings } from './settings.ts'
import { renderValue } from './value-formats.ts'
import type { AnyView, Terminal } from './view.ts'
import { write } from './write.ts'

interface PrintTarget {
  io: Io
  terminal: Terminal
  user?: string | undefined
  filter?: ((value: unknown) => Promise<unknown[]>) | undefined
}

/** Writes the result of a command to stdout. Renders the entire text first. Rejects with `ClosedPipe` if the reader closed the pipe. */
export async function print<T>(
  value: T,
  view: AnyView<T>,
  settings: OutputSettings,
  { io, terminal, user, filter }: PrintTarget,
): Promise<void> {
  const any = view as AnyView<unknown>
  const { format } = settings
  let text: string
  if (isValue(format)) text = await renderValue(value, any, { ...settings, format }, terminal, filter)
  else if (hasRows(format)) {
    const { renderRows } = await import('./separated.ts')
    text = renderRows(value, any, { ...settings, format }, terminal.isTTY)
  } else {
    const { renderForPeople } = await import('./people.ts')
    text = await renderForPeople(value, any, settings, terminal, user)
  }
  if (text !== '') await write(io.stdout, text)
}
