import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importRules, rules } from './rules.ts'
import { readSources } from './sources.ts'
import { tower } from './tower.ts'

const sources = readSources('src')
const allRules = [...importRules, ...rules]

test.each(allRules)('$title', ({ title, why, find }) => {
  expect(find(sources), `${title}, because ${why}.`).toEqual([])
})

test.each(allRules)('a planted violation is found: $title', ({ find, planted }) => {
  expect(find([...sources, planted]).join('\n')).toContain(planted.path)
})

test('the map in the README lists the folders of the tower in the same order', () => {
  const readme = readFileSync('README.md', 'utf8')
  const listed = [...readme.matchAll(/^ {4}([a-z]+)\/ {2,}/gm)].map(([, name]) => name)
  expect(listed).toEqual([...tower])
})
