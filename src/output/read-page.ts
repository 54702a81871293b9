import type { HelpPage, HelpSection } from './page.ts'

/** The parts of a section in their order. */
const parts = ['heading', 'text', 'examples', 'rows'] as const

/**
 * Parses a help page from Markdown: a title (`# Name: summary`), headings (`##`), paragraphs, examples (indented by four spaces), and lists
 * of terms (`- term: meaning`). `inserted` contains the sections for paragraphs such as `{{commands}}`.
 */
export function readPage(
  markdown: string,
  inserted: Readonly<Record<string, readonly HelpSection[]>> = {},
): HelpPage {
  const [title = '', ...blocks] = markdown.trimEnd().split(/\n{2,}/)
  const [, name = '', summary = ''] = /^# (.+?): (.+)$/.exec(title) ?? []
  const sections: HelpSection[] = []
  for (const section of blocks.flatMap((block) => inserted[block] ?? [readBlock(block)])) {
    const last = sections.at(-1)
    if (last && continues(last, section)) sections.splice(-1, 1, { ...last, ...section })
    else sections.push(section)
  }
  return { name, summary, sections }
}

function readBlock(block: string): HelpSection {
  if (block.startsWith('## ')) return { heading: block.slice(3) }
  const lines = block.split('\n')
  if (block.startsWith('    ')) return { examples: lines.map((line) => line.trim()) }
  // The text of a term can continue on indented lines.
  if (block.startsWith('- ')) return { rows: block.replaceAll('\n  ', ' ').split('\n').map(readRow) }
  return { text: lines.join(' ') }
}

function readRow(line: string): [term: string, meaning: string] {
  const [, term = '', meaning = ''] = /^- (.+?)(?:: (.+))?$/.exec(line) ?? []
  return [term, meaning]
}

/** Whether all parts of `next` come after the parts of `section`. */
function continues(section: HelpSection, next: HelpSection): boolean {
  return parts.findLastIndex((part) => part in section) < parts.findIndex((part) => part in next)
}
