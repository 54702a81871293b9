import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manPages } from '../../src/help/man/pages.ts'
import { writtenPages } from '../../src/help/pages/written-pages.ts'
import type { HelpPage } from '../../src/output/page.ts'
import { importPromises } from './import-promises.ts'
import { type Promises, promises } from './promises.ts'

const root = join(import.meta.dirname, '../..')
// Words that make a sentence a promise. Parts of a hyphenated word do not count, such as "only" in read-only.
const universal = /(?<![-\w])(every|each|all|always|never|only|no|nothing|cannot|exactly|any)(?![-\w])/i

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
          .split(/(?<=[.:](?:\*\*)?) /),
  )
}

/** Sentences of a help page. The description of a command or flag counts as a sentence, even without a period. */
function sentencesOfPage({ summary, sections }: HelpPage): string[] {
  const parts = sections.flatMap(({ heading = '', text = '', rows = [] }) => [
    heading,
    text,
    ...rows.map(([, meaning]) => meaning),
  ])
  return [summary, ...parts].flatMap(sentencesOf)
}

/** Sentences of a manual page, without troff commands and escape sequences. */
function sentencesOfTroff(troff: string): string[] {
  const text = troff
    .replace(/\\fB(.*?)\\fR/g, '`$1`')
    .replace(/\\\[u([0-9A-F]+)\]/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\([-e&])/g, (_, name) => ({ '-': '-', e: '\\', '&': '' })[name as string] ?? '')
  return text.split(/^\.(?:nf\n[\s\S]*?^\.fi|.*)$|\n`.*`\n/m).flatMap(sentencesOf)
}

/** Whether a sentence promises something to the reader. Words in code, headings, lists of values, and short table cells do not count. */
function isPromise(sentence: string): boolean {
  const words = sentence
    .replace(/`[^`]*`/g, '')
    .replace(/\((?:[\w-]+, )+or [\w-]+(?=[;)])/g, '')
    .match(/[\w’'-]+/g)
  return (
    words !== null &&
    words.length > 3 &&
    universal.test(words.join(' ')) &&
    !/^(#|\*\*[^*]+\*\*$)/.test(sentence)
  )
}

/** Compares the promises that a text makes to its readers with the list of promises. */
function expectListed(sentences: ReadonlySet<string>, listed: Promises): void {
  const message = 'Limit the sentence until it is true, or list its test in test/help'
  const unlisted = [...sentences].filter(
    (sentence) => isPromise(sentence) && !Object.hasOwn(listed, sentence),
  )
  expect(unlisted, message).toEqual([])
  expect(Object.keys(listed).filter((sentence) => !sentences.has(sentence))).toEqual([])
}

test('each promise to the reader in the README, help, and man pages is listed with a test, and each listed promise is in these texts', async () => {
  const pages = Object.values(await writtenPages).map((page) => sentencesOfPage(JSON.parse(page)))
  const manual = (await manPages('')).map(({ text }) => sentencesOfTroff(text))
  const readme = sentencesOf(readFileSync(join(root, 'README.md'), 'utf8'))
  expectListed(new Set([readme, ...pages, ...manual].flat()), promises)
})

test('each promise in the text (not in the tables) of src/bulk/README.md is listed with a test, and each listed sentence exists', () => {
  const text = readFileSync(join(root, 'src/bulk/README.md'), 'utf8').replace(/^\|.*$/gm, '')
  expectListed(new Set(sentencesOf(text)), importPromises)
})

test('each documented promise names a test that exists', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const source = files
    .filter((name) => /\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(root, 'test', name), 'utf8'))
    .join('\n')
    .replace(/\$\{\w+\}/g, '%s')
  const titles = Object.values({ ...promises, ...importPromises }).flat()
  const isTitle = (title: string) => ["'", '`'].some((quote) => source.includes(`${quote}${title}${quote}`))
  expect(titles.filter((title) => !isTitle(title))).toEqual([])
})

test('the check counts a sentence with a word such as "every" as a promise, except in code and short table cells', () => {
  const text =
    'It never fails at all. It `never` fails today.\n\n| yes or no | it works in every case |\n\n```sh\n# all of it works\n```\n'
  expect(sentencesOf(text).filter(isPromise)).toEqual(['It never fails at all.', 'it works in every case'])
})
