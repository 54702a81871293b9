import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { promises } from './promises.ts'

const root = join(import.meta.dirname, '../..')
const universal = /\b(every|each|all|always|never|only|no|nothing|cannot|exactly|any)\b/i

/** Sentences, items of lists, and cells of tables, without blocks of code. */
function sentencesOf(markdown: string): string[] {
  const blocks = markdown.replace(/^```[\s\S]*?^```$/gm, '').split(/\n\s*\n|\n(?=- )/)
  return blocks.flatMap((block) =>
    block.startsWith('|')
      ? block.split(/[|\n]/).map((cell) => cell.trim())
      : block
          .replace(/^- /, '')
          .replace(/\s+/g, ' ')
          .trim()
          .split(/(?<=[.:]) /),
  )
}

/** Words in code, in names of sections, and in short cells promise nothing. */
function isPromise(sentence: string): boolean {
  const words = sentence.replace(/`[^`]*`/g, '')
  return universal.test(words) && words.split(' ').length > 3 && !/^(#|\*\*[^*]+\*\*$)/.test(words)
}

test('every promise of the README is proven by a test, and no proof is left over', () => {
  const found = sentencesOf(readFileSync(join(root, 'README.md'), 'utf8')).filter(isPromise)
  const message =
    'Limit the sentence in README.md until it is true, or list its test in test/help/promises.ts'
  expect([...new Set(found)].sort(), message).toEqual(Object.keys(promises).sort())
})

test('the tests of all promises exist', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const source = files
    .filter((name) => /\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(root, 'test', name), 'utf8'))
    .join('\n')
  const titles = Object.values(promises).flat()
  expect(titles.filter((title) => !source.includes(`'${title}'`))).toEqual([])
})

test('a universal word makes a sentence a promise, except in code and in short cells', () => {
  const text =
    'It never fails at all. It `never` fails today.\n\n| yes or no | it works in every case |\n\n```sh\n# all of it works\n```\n'
  expect(sentencesOf(text).filter(isPromise)).toEqual(['It never fails at all.', 'it works in every case'])
})
