import * as z from 'zod/mini'
import type { Unchanged } from '../base/json.ts'

const row = z.tuple([z.string(), z.string()])

/** A section of a help page. Its optional parts are shown in the order of these fields. */
const section = z.strictObject({
  heading: z.optional(z.string()),
  text: z.optional(z.string()),
  examples: z.optional(z.array(z.string())),
  rows: z.optional(z.array(row)),
  /** Whether the first text of each row is a title. Otherwise, it is something that the user types. */
  titled: z.optional(z.boolean()),
})

/** A help page for a terminal, a man page, or JSON. Words in backquotes are typed literally. */
export const helpPage = z.strictObject({
  /** The name of the command or topic, such as `facescan users create`. */
  name: z.string(),
  summary: z.string(),
  sections: z.array(section),
})

export type HelpRow = Readonly<z.infer<typeof row>>
export type HelpSection = Unchanged<z.infer<typeof section>>
export type HelpPage = Unchanged<z.infer<typeof helpPage>>

const parts = ['heading', 'text', 'examples', 'rows'] as const

/**
 * Parses a help page from Markdown: a title (`# Name: summary`), headings (`##`), paragraphs, examples (indented by four spaces), and terms
 * (`- term: meaning`). `inserted` contains the sections that replace paragraphs such as `{{commands}}`.
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
  // In a list of terms (`- term: meaning`), a meaning can continue on indented lines.
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
