import { allNouns, leavesOf } from '../../tree/tree.ts'
import { findPage } from './pages.ts'

/** Every page as JSON, by the words of its command. The build replaces this module by its value, so that help loads no command. */
export const writtenPages: Promise<Record<string, string>> = writePages()

async function writePages(): Promise<Record<string, string>> {
  const nouns = allNouns()
  const names = new Set(['', ...Object.keys(nouns), ...leavesOf(nouns).map(([name]) => name)])
  const pages = [...names].map(async (name) => {
    const page = await findPage(name.split(' ').filter(Boolean))
    return [name, JSON.stringify(page)] as const
  })
  return Object.fromEntries(await Promise.all(pages))
}
