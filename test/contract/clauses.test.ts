import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCitations, readClauses, readSections } from './clauses.ts'

const sections = readSections()
const clauses = readClauses()
const citations = readCitations()
const ids = clauses.map(({ id }) => id)

test('the clauses of each section of the specification are numbered without gaps', () => {
  for (const section of new Set(ids.map((id) => id.split(':')[0]))) {
    const numbered = ids.filter((id) => id.startsWith(`${section}:`))
    expect(numbered).toEqual(numbered.map((_, index) => `${section}:${index + 1}`))
  }
})

test('every clause of the specification has a test', () => {
  const covered = new Set(citations.map(({ id }) => id))
  const missing = clauses.filter(({ id }) => !covered.has(id))
  expect(missing, 'Cite these clauses in a comment above a test that covers them: // spec 4.3:2').toEqual([])
})

test('every cited clause exists in the README of the contract, and every citation is next to a test', () => {
  expect(citations.filter(({ id, title }) => !ids.includes(id) || title === '')).toEqual([])
})

test('every cited section has a heading in the README of the contract', () => {
  const files = ['src', 'test', 'scripts', 'examples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  const cited = [...files, 'README.md', 'CONTRIBUTING.md'].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bspec (\d+(?:\.\d+a?)?)/g)].map(
      ([, section = '']) => `${path}: ${section}`,
    ),
  )
  expect(cited.filter((citation) => !sections.has(citation.split(': ')[1]!))).toEqual([])
})
