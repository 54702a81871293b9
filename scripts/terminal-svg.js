// Draws the screen of a terminal emulator as an SVG image: what a person saw, in text that stays sharp at any size.

const cell = { width: 8.4, height: 18 }
const margin = { left: 16, top: 44, bottom: 16 }
const font = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const colors = { background: '#14161b', bar: '#22252d', text: '#d7dae0', dim: '#8b919d' }
/** The eight colours of a terminal, on a dark ground. */
const palette = ['#3b3f4a', '#f07178', '#8bd49c', '#e6c07b', '#73a8f0', '#c792ea', '#56c2d6', '#d7dae0']

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function styleOf(position) {
  const color = position.isFgDefault() ? colors.text : (palette[position.getFgColor() % 8] ?? colors.text)
  return {
    fill: position.isDim() ? colors.dim : color,
    bold: position.isBold() !== 0,
    ground: position.isBgDefault() ? undefined : palette[position.getBgColor() % 8],
  }
}

/** Neighbours of one style, so that a line is a few pieces of text and not one for each character. */
function runsOf(line, columns) {
  const runs = []
  for (let column = 0; column < columns; column++) {
    const position = line.getCell(column)
    if (position.getWidth() === 0) continue
    const text = position.getChars() || ' '
    const style = styleOf(position)
    const key = JSON.stringify(style)
    const last = runs.at(-1)
    // Two spaces part a run: an image viewer may fold them.
    const folds = text === ' ' && last?.text.endsWith(' ') && !style.ground
    if (last?.key === key && !folds) {
      last.text += text
      last.cells += position.getWidth()
    } else runs.push({ key, style, text, column, cells: position.getWidth() })
  }
  return runs.filter(({ text, style }) => text.trim() !== '' || style.ground)
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
  const bold = style.bold ? ' font-weight="bold"' : ''
  return `${ground}<text x="${at.toFixed(1)}" y="${y + 13}" fill="${style.fill}"${bold} textLength="${width.toFixed(1)}">${escapeXml(shown)}</text>`
}

/** The lines of the screen that hold something, as SVG elements. */
export function drawScreen(terminal) {
  const buffer = terminal.buffer.active
  const lines = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row))
  const used = lines.findLastIndex((line) => line.translateToString(true) !== '') + 1
  const body = lines
    .slice(0, used)
    .map((line, row) =>
      runsOf(line, terminal.cols)
        .map((run) => drawRun(run, row))
        .join(''),
    )
    .filter(Boolean)
    .join('\n')
  return { body, rows: used }
}

function drawWindow({ title, columns, rows }, content, style = '') {
  const width = Math.ceil(columns * cell.width + 2 * margin.left)
  const height = margin.top + rows * cell.height + margin.bottom
  const dots = ['#f07178', '#e6c07b', '#8bd49c'].map(
    (fill, index) => `<circle cx="${20 + index * 18}" cy="16" r="5.5" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title).replaceAll('"', '&quot;')}" font-family="${font}" font-size="14">
${style}<rect width="${width}" height="${height}" rx="8" fill="${colors.background}"/>
<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v24H0z" fill="${colors.bar}"/>
${dots.join('')}<text x="${width / 2}" y="21" fill="${colors.dim}" font-size="13" text-anchor="middle">${escapeXml(title)}</text>
${content}
</svg>
`
}

/** One picture. */
export function drawStill(title, terminal) {
  const { body, rows } = drawScreen(terminal)
  return drawWindow({ title, columns: terminal.cols, rows }, body)
}

/** Pictures one after the other, each shown for its `seconds`, again and again. */
export function drawAnimation(title, columns, frames) {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  let start = 0
  const parts = frames.map(({ body, seconds }, index) => {
    const [from, to] = [start, start + seconds].map((at) => ((at / total) * 100).toFixed(2))
    start += seconds
    const rule = `@keyframes f${index}{0%,${from}%{visibility:hidden}${from}%,${to}%{visibility:visible}${to}%,100%{visibility:hidden}}`
    return {
      rule: `${rule}.f${index}{visibility:hidden;animation:f${index} ${total}s step-end infinite}`,
      group: `<g class="f${index}">${body}</g>`,
    }
  })
  const style = `<style>${parts.map(({ rule }) => rule).join('')}</style>\n`
  const rows = Math.max(...frames.map((frame) => frame.rows))
  return drawWindow({ title, columns, rows }, parts.map(({ group }) => group).join('\n'), style)
}
