import xterm from '@xterm/headless'

export interface Cell {
  text: string
  /** Index in the palette of 256 colors. Undefined for the terminal's default color. */
  foreground: number | undefined
  background: number | undefined
  bold: boolean
  dim: boolean
}

export interface Shown {
  /** Lines without trailing spaces, and without empty lines at the end. */
  lines: string[]
  cells: Cell[][]
  cursor: { column: number; row: number }
  title: string | undefined
  /** Whether a line was too long for the terminal. */
  wrapped: boolean
}

/** Writes the text to a terminal emulator. Returns its screen. */
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
        const front = cell.isFgDefault() ? undefined : cell.getFgColor()
        const back = cell.isBgDefault() ? undefined : cell.getBgColor()
        const isSwapped = cell.isInverse() !== 0
        return {
          // The second half of a wide character is empty.
          text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
          foreground: isSwapped ? back : front,
          background: isSwapped ? front : back,
          bold: cell.isBold() !== 0,
          dim: cell.isDim() !== 0,
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

const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

function styleOf({ foreground, bold, dim }: Cell): string {
  const color = foreground === undefined ? '' : (colorNames[foreground] ?? `color ${foreground}`)
  return [bold ? 'bold' : '', dim ? 'dim' : '', color].filter(Boolean).join(' ')
}

/** The lines of a screen with their styles in brackets: `[bold]Metric[/]`. */
export function describeStyles({ cells, lines }: Shown): string {
  return cells
    .slice(0, lines.length)
    .map((row) => {
      let style = ''
      let line = ''
      for (const cell of row) {
        const next = cell.text === ' ' && styleOf(cell) === '' ? '' : styleOf(cell)
        if (next !== style) line += `${style && '[/]'}${next && `[${next}]`}`
        style = next
        line += cell.text
      }
      return `${line}${style && '[/]'}`.trimEnd()
    })
    .join('\n')
}
