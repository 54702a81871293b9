import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { importRules, rules } from './rules.ts'
import { readSources } from './sources.ts'
import { tower } from './tower.ts'

const sources = readSources('src')
const titled = [...importRules, ...rules].map((rule) => [rule.title, rule] as const)

test.each(titled)('no source file violates the rule "%s"', (title, { why, find }) => {
  const problems = find(sources)
  expect(problems, `${title}, because ${why}:\n${problems.join('\n')}\n`).toEqual([])
})

test.each(titled)(
  'the architecture check finds a file that violates the rule "%s"',
  (_, { find, planted }) => {
    const files = [planted].flat()
    const known = find(sources)
    const problems = find([...sources, ...files]).filter((problem) => !known.includes(problem))
    for (const { path } of files) {
      const isNamed = (problem: string) => problem.includes(path) || path.startsWith(`${problem}/`)
      expect(problems.some(isNamed), `${path}\n${problems.join('\n')}`).toBe(true)
    }
  },
)

test('CONTRIBUTING lists each folder of src above the folders that it can import', () => {
  const readme = readFileSync('CONTRIBUTING.md', 'utf8')
  const listed = [...readme.matchAll(/^ {4}([a-z]+)\/ {2,}/gm)].map(([, name]) => name)
  expect(listed).toEqual([...tower])
})

/** Names in a README for which no TypeScript file exists in the folder of the README or elsewhere in the project. */
function findUnknownFiles(readme: string, text: string): string[] {
  const names = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name)
  return names.filter((name) => !existsSync(join(dirname(readme), name)) && !existsSync(name))
}

const readmes = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('README.md'))
  .map((path) => join('src', path))

test.each(readmes)('%s names only files that exist', (readme) => {
  expect(findUnknownFiles(readme, readFileSync(readme, 'utf8'))).toEqual([])
})

test('the check of a README reports a file that does not exist', () => {
  const text = 'The log is in `history.ts`. Sessions are in `session.ts`.'
  expect(findUnknownFiles('src/profiles/README.md', text)).toEqual(['history.ts'])
})
