import { UsageError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { isTopic, topicNames } from '../../command/manual.ts'
import type { HelpPage } from '../../output/page.ts'
import { locate } from '../../tree/locate.ts'
import { allNouns } from '../../tree/tree.ts'
import { commandPage } from './command-page.ts'
import { branchPage, rootPage } from './overview.ts'

/** The page for the words after `facescan help`: none, a topic, or the words of a command. Throws UsageError. */
export async function findPage(words: readonly string[]): Promise<HelpPage> {
  const [first = '', ...more] = words
  if (isTopic(first) && more.length === 0) return (await import('./topics.ts')).topics[first]
  suggestTopic(first)
  const located = locate(words)
  if (located.kind === 'root') return rootPage()
  if (located.kind === 'branch') return branchPage(located.name, located.branch)
  const excess = words.slice(located.name.split(' ').length)
  if (excess.length > 0) {
    throw new UsageError(`too many arguments: "${excess.join(' ')}" follows the command ${located.name}`, {
      hint: `See: facescan help ${located.name}`,
    })
  }
  const { name, leaf } = located
  return commandPage({ name, summary: leaf.summary, command: (await leaf.load()).default })
}

function suggestTopic(word: string): void {
  const nouns = Object.keys(allNouns())
  const meant = nearest(word, [...nouns, ...topicNames])
  if (word === '' || nouns.includes(word) || !meant || !isTopic(meant)) return
  throw new UsageError(`unknown help topic "${word}". Did you mean "facescan help ${meant}"?`, {
    hint: `Topics: ${topicNames.join(', ')}`,
  })
}
