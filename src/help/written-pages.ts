import { allNouns, isBranch } from '../tree.ts'
import { findPage } from './pages.ts'

/** Every page by the words of its command, as JSON text: the build writes them in, so that help loads no command. */
export const writtenPages: Promise<Record<string, string>> = writePages()

async function writePages(): Promise<Record<string, string>> {
  const names = Object.entries(allNouns()).flatMap(([noun, node]) => [
    noun,
    ...(isBranch(node) ? Object.keys(node.verbs).map((verb) => `${noun} ${verb}`) : []),
  ])
  const pages = ['', ...names].map(async (name) => {
    const page = await findPage(name.split(' ').filter(Boolean))
    return [name, JSON.stringify(page)] as const
  })
  return Object.fromEntries(await Promise.all(pages))
}
