import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'

/**
 * Compares a committed file with the text that the sources produce. `npm run generate` updates the file: it runs every test
 * that imports this module with `vitest --update`. Paths are relative to the repository.
 */
export async function expectGenerated(path: string, text: string): Promise<void> {
  const message = `${path} does not match the sources. Run "npm run generate", review the diff, and commit it`
  await expect(text, message).toMatchFileSnapshot(resolve(path))
}

/** Like `expectGenerated`, for the lines between `<!-- generated: NAME -->` and `<!-- end -->` in a Markdown file. */
export async function expectGeneratedSection(path: string, name: string, text: string): Promise<void> {
  const page = readFileSync(path, 'utf8')
  const start = `<!-- generated: ${name} -->\n`
  const [before, rest] = split(page, start, path)
  const [, after] = split(rest, '<!-- end -->', path)
  await expectGenerated(path, `${before}${start}\n${text.trim()}\n\n<!-- end -->${after}`)
}

function split(text: string, separator: string, path: string): [string, string] {
  const index = text.indexOf(separator)
  if (index === -1) throw new Error(`${path} has no line "${separator.trim()}"`)
  return [text.slice(0, index), text.slice(index + separator.length)]
}
