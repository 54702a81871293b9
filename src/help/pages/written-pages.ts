import { topicNames } from '../../framework/help-topics.ts'
import type { HelpPage } from '../../output/page.ts'
import { loadCommands, nouns } from '../../routes/routes.ts'
import { commandPage } from './command-page.ts'
import { branchPage, rootPage } from './overview.ts'
import { topics } from './topics.ts'

/** All help pages as JSON. The build replaces this module with the JSON, so that help does not load the commands. */
export const writtenPages: Promise<Record<string, string>> = writePages()

async function writePages(): Promise<Record<string, string>> {
  const pages: [name: string, page: HelpPage][] = [['', rootPage()]]
  for (const [name, node] of Object.entries(nouns))
    if ('verbs' in node) pages.push([name, branchPage(name, node)])
  for (const loaded of await loadCommands()) pages.push([loaded.name, commandPage(loaded)])
  for (const name of topicNames) pages.push([`help ${name}`, topics[name]])
  return Object.fromEntries(pages.map(([name, page]) => [name, JSON.stringify(page)]))
}
