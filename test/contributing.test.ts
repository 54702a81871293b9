import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { topics } from '../src/help/pages/topics.ts'
import { outputFormats } from '../src/output/settings.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const pages = ['README.md', 'CONTRIBUTING.md'].map((file) => readFileSync(file, 'utf8')).join('\n')
/** A reader who follows the recipe in CONTRIBUTING creates this file, so the file does not exist in the repository. */
const added = 'src/commands/users/exists.ts'
const paths = [...pages.matchAll(/\b(?:src|test|scripts|bin|examples)\/[\w./-]*\w/g)]
  .map(([path]) => path)
  .filter((path) => path !== added)
const named = new Set(['test', ...[...pages.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)])

test.each([...named].filter((name) => name !== 'setup'))(
  '"npm run %s" runs the setup script first',
  (name) => {
    expect(scripts[name]).toMatch(/^node scripts\/setup\.js (--no-build )?&& /)
  },
)

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join('test', name), 'utf8') }))

test('if a test compares a committed file with generated text, "npm run generate" can update the file', () => {
  const missed = tests.filter(({ text }) => /\.toMatch(?:File)?Snapshot\(/.test(text)).map(({ name }) => name)
  expect(missed, 'Use expectGenerated of test/helpers/generated.ts in these tests').toEqual([])
})

test('CONTRIBUTING lists each file that "npm run generate" updates, or its folder', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  const generated = tests.flatMap((one) =>
    [...one.text.matchAll(/expectGenerated(?:Sections)?\(\s*['`]([^'`$]+?)\/?['`$]/g)].map(
      ([, path = '']) => path,
    ),
  )
  expect(generated).toContain('test/surface.json')
  const isListed = (path: string) => [path, dirname(path)].some((name) => text.includes(`\`${name}\``))
  expect(generated.filter((path) => !isListed(path))).toEqual([])
})

test.each([...new Set(paths)])('the path %s in the README or CONTRIBUTING exists', (path) => {
  expect(existsSync(path)).toBe(true)
})

test.each([
  ['README.md', () => readFileSync('README.md', 'utf8')],
  ['the help topic formats', () => JSON.stringify(topics.formats)],
])('each output format is named in %s', (_, read) => {
  expect(outputFormats.filter((format) => !new RegExp(`\\b${format}\\b`).test(read()))).toEqual([])
})
