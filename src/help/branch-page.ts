import { type Branch, isBranch, tree } from '../tree.ts'
import type { HelpPage, HelpRow, HelpSection } from './document.ts'

export function branchPage(name: string, branch: Branch): HelpPage {
  return {
    name: `facescan ${name}`,
    summary: branch.summary,
    sections: [
      { rows: verbRows(name, branch) },
      { text: `Examples and flags: \`facescan ${name} ${Object.keys(branch.verbs)[0]} --help\`` },
    ],
  }
}

/** Every command with its summary, a section for each task. */
export function commandSections(): HelpSection[] {
  return tree.map(({ title, nouns }) => ({
    heading: title,
    rows: Object.entries(nouns).flatMap(([noun, node]) =>
      isBranch(node) ? verbRows(noun, node) : [[noun, node.summary] as const],
    ),
  }))
}

function verbRows(noun: string, { verbs }: Branch): HelpRow[] {
  return Object.entries(verbs).map(([verb, { summary }]) => [`${noun} ${verb}`, summary] as const)
}
