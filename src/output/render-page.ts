import type { HelpPage, HelpRow, HelpSection } from './page.ts'
import { breakCommand, pad, widthOf, wrap } from './text.ts'
import type { Pen } from './view.ts'

/** Maximum line length, because longer lines are hard to read on any terminal. */
const longestLine = 100
const widestTerm = 30
/** Minimum width of a text beside its term. With less width, the text moves below the term. */
const narrowestText = 24
const indent = '  '

/** The text of a page, without a line feed at the end. */
export function renderPage(page: HelpPage, pen: Pen): string {
  const title = wrap(`${pen.bold(page.name)} · ${page.summary}`, widthFor(pen)).join('\n')
  return [title, ...page.sections.map((section) => renderSection(section, pen))].join('\n\n')
}

function widthFor(pen: Pen): number {
  return Math.min(pen.width, longestLine)
}

function renderSection({ heading, text, examples = [], rows = [], titled }: HelpSection, pen: Pen): string {
  const width = widthFor(pen)
  const inset = heading === undefined ? '' : indent
  return [
    ...(heading === undefined ? [] : wrap(heading, width).map(pen.bold)),
    ...(text === undefined ? [] : paragraph(text, width - inset.length, pen).map((line) => inset + line)),
    ...examples.flatMap((example) => renderExample(example, width, pen)),
    ...renderRows(rows, width, pen, titled ? (term) => term : pen.cyan),
  ].join('\n')
}

function renderRows(
  rows: readonly HelpRow[],
  width: number,
  pen: Pen,
  styleTerm: (term: string) => string,
): string[] {
  const explained = rows.filter(([, text]) => text !== '')
  const widest = Math.min(widestTerm, Math.max(0, ...explained.map(([term]) => widthOf(term))))
  const words = rows.flatMap(([, text]) => text.split(/[ |]/))
  const needed = Math.max(narrowestText, ...words.map(widthOf))
  const column = width - indent.length - widest - 2 < needed ? 0 : widest
  const start = ' '.repeat(indent.length + column + 2)
  return rows.flatMap(([term, text]) => {
    const lines = paragraph(text, width - start.length, pen)
    if (text === '') return wrapUsage(term, width).map((line) => indent + styleTerm(line))
    if (widthOf(term) > column) return [indent + styleTerm(term), ...lines.map((line) => start + line)]
    const [first = '', ...rest] = lines
    return [
      `${indent}${styleTerm(pad(term, column))}  ${first}`.trimEnd(),
      ...rest.map((line) => start + line),
    ]
  })
}

/** Wraps a usage line and keeps each flag and its value on one line. */
function wrapUsage(usage: string, width: number): string[] {
  const glued = usage.replace(/(?<= --\S+) (?=<)/g, '\u00a0')
  const lines = wrap(glued, width - 2 * indent.length)
  return lines.map((line, index) => (index === 0 ? '' : indent) + line.replaceAll('\u00a0', ' '))
}

function renderExample(example: string, width: number, pen: Pen): string[] {
  const start = `${indent}${pen.dim('$')} `
  const lines = breakCommand(example, width - 2 * indent.length)
  return lines.map((line, index) => (index === 0 ? start : indent + indent) + line)
}

/** Wraps a paragraph. Words in backquotes stay on one line if they fit. Longer words are wrapped after a `|`. */
function paragraph(text: string, width: number, pen: Pen): string[] {
  const glued = text.replace(/`([^`]+)`/g, (_, code: string) =>
    pen.cyan(code.length > width ? code.replaceAll('|', '| ') : code.replaceAll(' ', '\u00a0')),
  )
  // A single line break only wraps the source. An empty line separates paragraphs.
  const lines = glued.replace(/(?<!\n)\n(?!\n)/g, ' ').split('\n')
  return lines.flatMap((line) =>
    wrap(line, width).map((part) => part.replace(/(?<=\w)\| (?=\w)/g, '|').replaceAll('\u00a0', ' ')),
  )
}
