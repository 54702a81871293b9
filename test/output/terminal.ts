import xterm from '@xterm/headless'

export interface Cell {
  text: string
  /** Index of the 256 colours, or undefined for the terminal's own. */
  foreground: number | undefined
  background: number | undefined
}

export interface Shown {
  /** Lines as a person sees them, without the spaces at their ends; empty ones at the end left out. */
  lines: string[]
  cells: Cell[][]
  cursor: { column: number; row: number }
  title: string | undefined
  /** Whether any line was too long for the terminal. */
  wrapped: boolean
}

/** Gives the text to a real terminal emulator and reads its screen. */
export async function showOn(text: string, width: number, height = 400): Promise<Shown> {
  const terminal = new xterm.Terminal({ cols: width, rows: height, allowProposedApi: true, convertEol: true })
  let title: string | undefined
  terminal.onTitleChange((changed) => {
    title = changed
  })
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)!)
  const lines = rows.map((row) => row.translateToString(true))
  const shown = {
    lines: lines.slice(0, lines.findLastIndex((line) => line !== '') + 1),
    cells: rows.map((row) =>
      Array.from({ length: width }, (_, column) => {
        const cell = row.getCell(column)!
        return {
          text: cell.getChars() || ' ',
          foreground: cell.isFgDefault() ? undefined : cell.getFgColor(),
          background: cell.isBgDefault() ? undefined : cell.getBgColor(),
        }
      }),
    ),
    cursor: { column: active.cursorX, row: active.cursorY },
    title,
    wrapped: rows.some((row) => row.isWrapped),
  }
  terminal.dispose()
  return shown
}
