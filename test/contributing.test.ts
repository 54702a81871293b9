import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const pages = ['README.md', 'CONTRIBUTING.md'].map((file) => readFileSync(file, 'utf8')).join('\n')
/** The file that the recipe in the README adds. */
const added = 'src/commands/users/exists.ts'
const paths = [...pages.matchAll(/\b(?:src|test|scripts|bin|examples)\/[\w./-]*\w/g)]
  .map(([path]) => path)
  .filter((path) => path !== added)
const named = new Set(['test', ...[...pages.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)])

test.each([...named].filter((name) => name !== 'setup'))('"npm run %s" works in a fresh clone', (name) => {
  expect(scripts[name]).toMatch(/^node scripts\/setup\.js (--no-build )?&& /)
})

test('"npm run generate" updates every file that a test compares with a committed one', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  )
  const missed = tests.filter((name) =>
    readFileSync(join('test', name), 'utf8').match(/\)\.toMatchFileSnapshot\(/),
  )
  expect(missed, 'Use expectGenerated of test/helpers/generated.ts in these tests').toEqual([])
})

test.each([...new Set(paths)])('%s in the README or CONTRIBUTING exists', (path) => {
  expect(existsSync(path)).toBe(true)
})
