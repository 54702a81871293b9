import { UsageError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { isTopic, topicNames } from '../../framework/manual.ts'
import type { HelpPage } from '../../output/page.ts'
import { locate } from '../../routes/locate.ts'
import { nouns } from '../../routes/routes.ts'
import { writtenPages } from './written-pages.ts'

/** Finds the page for the words after `facescan help`: no words, a topic, or a command. Throws UsageError for other words. */
export function findPage(words: readonly string[]): Promise<HelpPage> {
  const [first = '', ...more] = words
  if (isTopic(first) && more.length === 0) return readPage(`help ${first}`)
  if (isTopic(first) && !isNoun(first)) throw describeExcess(first, more)
  suggestTopic(first)
  const located = locate(words)
  const excess = words.slice(located.name.split(' ').length)
  if (located.kind === 'command' && excess.length > 0) throw describeExcess(located.name, excess)
  return readPage(located.name)
}

function describeExcess(name: string, excess: readonly string[]): UsageError {
  return new UsageError(`too many arguments after "${name}": ${excess.join(' ')}`, {
    hint: `See: facescan help ${name}`,
  })
}

/** The page of a command or a group of commands. The name of the root page is an empty text. */
export async function readPage(name: string): Promise<HelpPage> {
  return JSON.parse((await writtenPages)[name] ?? '')
}

function isNoun(word: string): boolean {
  return Object.hasOwn(nouns, word)
}

function suggestTopic(word: string): void {
  const meant = nearest(word, [...Object.keys(nouns), ...topicNames])
  if (word === '' || isNoun(word) || !meant || !isTopic(meant)) return
  throw new UsageError(`unknown help topic "${word}"; did you mean "facescan help ${meant}"?`, {
    hint: `Topics: ${topicNames.join(', ')}`,
  })
}
