import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { manPages } from '../../../src/manual/man/pages.ts'
import { readSurface } from '../../../src/manual/surface.ts'

const pages = await manPages('1.2.3')
const surface = await readSurface()

function find(file: string): string {
  return pages.find((page) => page.file === file)!.text.replaceAll('\\-', '-')
}

test('the overview names every command, flag of all commands and exit code', () => {
  const overview = find('facescan.1')
  for (const { name } of surface.commands) expect(overview).toContain(name)
  for (const { long } of surface.globalFlags) expect(overview).toContain(long)
  expect(overview).toContain('FACESCAN_API_KEY')
  expect(overview).toContain('\\fB130\\fR')
})

test('each noun has a page with all flags and examples of its commands', () => {
  for (const { name, flags, examples } of surface.commands) {
    const text = find(`facescan-${name.split(' ')[0]}.1`)
    for (const { long } of flags) expect(text).toContain(long)
    for (const example of examples) expect(text.replaceAll('\\e', '\\')).toContain(example)
  }
})

test('the package installs every page', () => {
  const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: string[] }
  expect([...man].sort()).toEqual(pages.map(({ file }) => `dist/man/${file}`).sort())
})

const hasGroff = spawnSync('groff', ['--version']).status === 0
if (!hasGroff) process.stderr.write('groff is not installed: the manual is not typeset here\n')

test.skipIf(!hasGroff)('groff typesets every page without a warning', () => {
  for (const { file, text } of pages) {
    const { stderr } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8'], { input: text, encoding: 'utf8' })
    expect(stderr, file).toBe('')
  }
})
