import { UsageError } from '../../base/errors.ts'
import { own } from '../../base/functions.ts'
import { nearest } from '../../base/nearest.ts'
import { isTopic, topicNames } from '../../framework/help-topics.ts'
import type { HelpPage } from '../../output/page.ts'
import { nouns } from '../../routes/routes.ts'
import { locate } from '../../routes/unknown-command.ts'
import { writtenPages } from './written-pages.ts'

const pagesByWord: Readonly<Record<string, string>> = {
  ...pagesFor('exit-codes', 'cron jobs job schedule scheduler nightly slurm ci script scripts errors'),
  ...pagesFor('formats', 'csv excel json jq filter output'),
  ...pagesFor('profiles', 'key keys production protection confirm safety login'),
  ...pagesFor('many-users', 'list lists file files batch bulk'),
  ...pagesFor('environment', 'env variables proxy'),
  ...pagesFor('scan-url', 'link links url expired'),
  ...pagesFor('overview', 'scan scans arrived caller call support'),
  ...pagesFor('biomarkers compare', 'blood pressure heart trend better month'),
  ...pagesFor('users update', 'update change language birthday sex'),
  ...pagesFor('users delete', 'delete remove erase privacy'),
  ...pagesFor('invite', 'campaign mail email invitation invitations'),
}

function pagesFor(page: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, page]))
}

/** Finds the page for the words after `facescan help`: no words, a topic, a command, or a word that people search for. */
export function findPage([word = '', ...more]: readonly string[]): Promise<HelpPage> {
  const page = (more.length === 0 && own(pagesByWord, word)) || word
  const words = word === '' ? [] : [...page.split(' '), ...more]
  const [first = ''] = words
  if (isTopic(first) && more.length === 0) return readPage(`help ${first}`)
  if (isTopic(first) && !own(nouns, first)) throw describeExcess(first, more)
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

/** The page of a command or a group. The root page has an empty name. */
export async function readPage(name: string): Promise<HelpPage> {
  return JSON.parse((await writtenPages)[name] ?? '')
}

function suggestTopic(word: string): void {
  const meant = nearest(word, [...Object.keys(nouns), ...topicNames])
  if (word === '' || own(nouns, word) || !meant || !isTopic(meant)) return
  throw new UsageError(`unknown help topic "${word}"; did you mean "facescan help ${meant}"?`, {
    hint: `Topics: ${topicNames.join(', ')}`,
  })
}
