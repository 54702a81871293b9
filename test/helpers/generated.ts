import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'

/**
 * Compares a committed file with the text that the sources produce. `npm run generate` updates the file: it runs `vitest --update` for
 * every test that imports this module. Paths are relative to the repository.
 */
export async function expectGenerated(path: string, text: string): Promise<void> {
  const message = `${path} does not match the sources. Run "npm run generate", review the diff, and commit it`
  await expect(text, message).toMatchFileSnapshot(resolve(path))
}

/**
 * Like `expectGenerated`, but compares only the lines between `<!-- generated: NAME -->` and `<!-- end -->` in a Markdown file. Call this
 * function once per file with the texts of all sections, because an update writes the complete file.
 */
export async function expectGeneratedSections(
  path: string,
  sections: Readonly<Record<string, string>>,
): Promise<void> {
  let page = readFileSync(path, 'utf8')
  for (const [name, text] of Object.entries(sections)) {
    const start = `<!-- generated: ${name} -->\n`
    const [before, rest] = split(page, start, path)
    const [, after] = split(rest, '<!-- end -->', path)
    page = `${before}${start}\n${text.trim()}\n\n<!-- end -->${after}`
  }
  await expectGenerated(path, page)
}

/** A Markdown table whose columns are aligned in the source. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  )
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`)
    .join('\n')
}

function split(text: string, separator: string, path: string): [string, string] {
  const index = text.indexOf(separator)
  if (index === -1) throw new Error(`${path} has no line "${separator.trim()}"`)
  return [text.slice(0, index), text.slice(index + separator.length)]
}
