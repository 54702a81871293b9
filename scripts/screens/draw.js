// Draws the screen of a terminal emulator as an SVG image.
const cell = { width: 8.4, height: 18 }
const margin = { left: 16, top: 44, bottom: 16 }
const font = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** The colors of the window, and the 16 colors of the terminal. */
const themes = {
  dark: {
    ...{ background: '#14161b', bar: '#22252d', text: '#d7dae0', dim: '#8b919d' },
    palette: [
      ...['#3b3f4a', '#f07178', '#8bd49c', '#e6c07b', '#73a8f0', '#c792ea', '#56c2d6', '#d7dae0'],
      ...['#6b7280', '#ff8b92', '#a5e8b4', '#f5d595', '#8fbcff', '#d9b0f5', '#7fdcec', '#ffffff'],
    ],
  },
  light: {
    ...{ background: '#ffffff', bar: '#e5e7eb', text: '#1f2328', dim: '#6e7781' },
    palette: [
      ...['#24292f', '#cf222e', '#116329', '#9a6700', '#0969da', '#8250df', '#1b7c83', '#6e7781'],
      ...['#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'],
    ],
  },
}

function escapeXml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The program uses the 16 colors of the terminal. For QR codes, it uses the colors 16 (black) and 231 (white) of the 256-color palette. */
const colorOf = (number, { palette }) => palette[number] ?? { 16: '#000000', 231: '#ffffff' }[number]

function styleOf(position, theme) {
  const front = position.isFgDefault() ? theme.text : colorOf(position.getFgColor(), theme)
  const back = position.isBgDefault() ? undefined : colorOf(position.getBgColor(), theme)
  const isInverse = position.isInverse() !== 0
  return {
    fill: isInverse ? (back ?? theme.background) : position.isDim() ? theme.dim : front,
    ground: isInverse ? front : back,
    bold: position.isBold() !== 0,
    underlined: position.isUnderline() !== 0,
  }
}

/** Joins adjacent cells that have the same style into a run. Each run becomes one text element. */
function runsOf(line, columns, theme) {
  const runs = []
  for (let column = 0; column < columns; column++) {
    const position = line.getCell(column)
    if (position.getWidth() === 0) continue
    const text = position.getChars() || ' '
    const style = styleOf(position, theme)
    const key = JSON.stringify(style)
    const last = runs.at(-1)
    // An image viewer may show two adjacent spaces as one space, so the second space starts a new text element.
    const collapses = text === ' ' && last?.text.endsWith(' ') && !style.ground
    if (last?.key === key && !collapses) {
      last.text += text
      last.cells += position.getWidth()
    } else runs.push({ key, style, text, column, cells: position.getWidth() })
  }
  return runs.filter(({ text, style }) => text.trim() !== '' || style.ground)
}

/** The part of a cell that each block character fills: top and height. Terminals draw these characters without a font. */
const blocks = { '█': [0, 1], '▀': [0, 0.5], '▄': [0.5, 0.5] }

function drawBlocks(text, x, y, fill) {
  return [...text]
    .map((character, index) => {
      const [top, height] = blocks[character] ?? []
      const at = `x="${(x + index * cell.width).toFixed(1)}" y="${y + top * cell.height}"`
      const size = `width="${cell.width}" height="${height * cell.height}"`
      return height ? `<rect ${at} ${size} fill="${fill}" shape-rendering="crispEdges"/>` : ''
    })
    .join('')
}

function drawRun({ style, text, column, cells }, row) {
  const [x, y] = [margin.left + column * cell.width, margin.top + row * cell.height]
  const lead = text.length - text.trimStart().length
  const shown = text.trim()
  const at = x + lead * cell.width
  const width = (cells - (text.length - shown.length)) * cell.width
  const ground = style.ground
    ? `<rect x="${x.toFixed(1)}" y="${y}" width="${(cells * cell.width).toFixed(1)}" height="${cell.height}" fill="${style.ground}"/>`
    : ''
  if (shown === '') return ground
  if (/^[█▀▄ ]+$/.test(shown)) return ground + drawBlocks(text, x, y, style.fill)
  const bold = style.bold ? ' font-weight="bold"' : ''
  const underline = style.underlined ? ' text-decoration="underline"' : ''
  return `${ground}<text x="${at.toFixed(1)}" y="${y + 13}" fill="${style.fill}"${bold}${underline} textLength="${width.toFixed(1)}">${escapeXml(shown)}</text>`
}

/** Draws the visible rows of the terminal. `cropped` removes the empty rows at the bottom. */
export function drawScreen(title, terminal, { look = 'dark', cropped = false } = {}) {
  const theme = themes[look]
  const { active } = terminal.buffer
  const lines = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row))
  const used = lines.findLastIndex((line) => line.translateToString(true) !== '') + 1
  const rows = cropped ? used : terminal.rows
  const body = lines.slice(0, used).map((line, row) =>
    runsOf(line, terminal.cols, theme)
      .map((run) => drawRun(run, row))
      .join(''),
  )
  const width = Math.ceil(terminal.cols * cell.width + 2 * margin.left)
  const height = margin.top + rows * cell.height + margin.bottom
  const dots = ['#f07178', '#e6c07b', '#8bd49c'].map(
    (fill, index) => `<circle cx="${20 + index * 18}" cy="16" r="5.5" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}" font-family="${font}" font-size="14">
<rect width="${width}" height="${height}" rx="8" fill="${theme.background}"/>
<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v24H0z" fill="${theme.bar}"/>
${dots.join('')}<text x="76" y="21" fill="${theme.dim}" font-size="13">${escapeXml(title)}</text>
${body.filter(Boolean).join('\n')}
</svg>
`
}
