import type { HelpPage, HelpRow, HelpSection } from '../../output/page.ts'
import { type Branch, type Group, leavesOf, tree } from '../../tree/tree.ts'

export function branchPage(name: string, branch: Branch): HelpPage {
  return {
    name: `facescan ${name}`,
    summary: branch.summary,
    sections: [
      { rows: commandRows({ [name]: branch }) },
      { text: `For examples and flags: \`facescan ${name} ${Object.keys(branch.verbs)[0]} --help\`` },
    ],
  }
}

/** Every command with its summary, in one section per group. */
export function commandSections(): HelpSection[] {
  return tree.map(({ title, nouns }) => ({ heading: title, rows: commandRows(nouns) }))
}

function commandRows(nouns: Group['nouns']): HelpRow[] {
  return leavesOf(nouns).map(([name, { summary }]) => [name, summary])
}
