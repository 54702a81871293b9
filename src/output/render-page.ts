import type { HelpPage, HelpRow, HelpSection } from './page.ts'
import { breakCommand, pad, widthOf, wrap } from './text.ts'
import type { Terminal } from './view.ts'

/** Maximum length of a line, because longer lines are hard to read. */
const longestLine = 100
const widestTerm = 30
/** Minimum width of a text beside its term. A narrower text moves below the term. */
const narrowestText = 24
const indent = '  '

/** The text of a page, without a line feed at the end. */
export function renderPage(page: HelpPage, terminal: Terminal): string {
  const title = wrap(`${terminal.bold(page.name)} · ${page.summary}`, widthFor(terminal)).join('\n')
  return [title, ...page.sections.map((section) => renderSection(section, terminal))].join('\n\n')
}

function widthFor(terminal: Terminal): number {
  return Math.min(terminal.width, longestLine)
}

function renderSection(
  { heading, text, examples = [], rows = [], titled }: HelpSection,
  terminal: Terminal,
): string {
  const width = widthFor(terminal)
  const inset = heading === undefined ? '' : indent
  return [
    ...(heading === undefined ? [] : wrap(heading, width).map(terminal.bold)),
    ...(text === undefined
      ? []
      : paragraph(text, width - inset.length, terminal).map((line) => inset + line)),
    ...examples.flatMap((example) => renderExample(example, width, terminal)),
    ...renderRows(rows, width, terminal, titled ? (term) => term : terminal.cyan),
  ].join('\n')
}

function renderRows(
  rows: readonly HelpRow[],
  width: number,
  terminal: Terminal,
  styleTerm: (term: string) => string,
): string[] {
  const explained = rows.filter(([, text]) => text !== '')
  const widest = Math.min(widestTerm, Math.max(0, ...explained.map(([term]) => widthOf(term))))
  const words = rows.flatMap(([, text]) => text.split(/[ |]/))
  const needed = Math.max(narrowestText, ...words.map(widthOf))
  const column = width - indent.length - widest - 2 < needed ? 0 : widest
  const start = ' '.repeat(indent.length + column + 2)
  return rows.flatMap(([term, text]) => {
    const lines = paragraph(text, width - start.length, terminal)
    if (text === '') return wrapUsage(term, width).map((line) => indent + styleTerm(line))
    if (widthOf(term) > column) return [indent + styleTerm(term), ...lines.map((line) => start + line)]
    const [first = '', ...rest] = lines
    return [
      `${indent}${styleTerm(pad(term, column))}  ${first}`.trimEnd(),
      ...rest.map((line) => start + line),
    ]
  })
}

/** Wraps a usage line. A flag and its value stay on one line. */
function wrapUsage(usage: string, width: number): string[] {
  const glued = usage.replace(/(?<= --\S+) (?=<)/g, '\u00a0')
  const lines = wrap(glued, width - 2 * indent.length)
  return lines.map((line, index) => (index === 0 ? '' : indent) + line.replaceAll('\u00a0', ' '))
}

function renderExample(example: string, width: number, terminal: Terminal): string[] {
  const start = `${indent}${terminal.dim('$')} `
  const lines = breakCommand(example, width - 2 * indent.length)
  return lines.map((line, index) => (index === 0 ? start : indent + indent) + line)
}

/** Wraps a paragraph. Words in backquotes stay on one line if they fit. Longer words wrap after a `|`. */
function paragraph(text: string, width: number, terminal: Terminal): string[] {
  const glued = text.replace(/`([^`]+)`/g, (_, code: string) =>
    terminal.cyan(code.length > width ? code.replaceAll('|', '| ') : code.replaceAll(' ', '\u00a0')),
  )
  // A single line break is ignored. An empty line separates paragraphs.
  const lines = glued.replace(/(?<!\n)\n(?!\n)/g, ' ').split('\n')
  return lines.flatMap((line) =>
    wrap(line, width).map((part) => part.replace(/(?<=\w)\| (?=\w)/g, '|').replaceAll('\u00a0', ' ')),
  )
}
