import { version } from '../../base/process.ts'
import { topicNames } from '../../framework/help-topics.ts'
import type { HelpPage, HelpRow, HelpSection } from '../../output/page.ts'
import { type Branch, leavesOf, type Nouns, tree } from '../../routes/routes.ts'

/** The root help: examples first, then all commands. It fits on 80x24 together with the shell prompt. */
export function rootPage(): HelpPage {
  return {
    name: `facescan ${version}`,
    summary: 'manage users, face scans, and health data',
    sections: [
      {
        heading: 'Get started (the built-in sandbox needs no key or network)',
        rows: [
          ['facescan demo', 'step-by-step tour'],
          ['facescan users create', 'create a user; prompts for the details'],
          ['facescan profiles add ACME-DEV', 'connect to the service'],
        ],
      },
      {
        heading: 'Commands',
        titled: true,
        rows: Object.entries(tree).map(([title, nouns]) => [title, inShort(nouns)]),
      },
      {
        rows: [
          ['facescan COMMAND --help', 'examples and flags for a command'],
          ['facescan help TOPIC', topicNames.join(', ')],
        ],
      },
    ],
  }
}

function inShort(nouns: Nouns): string {
  return Object.entries(nouns)
    .map(([noun, node]) => `\`${noun}${'verbs' in node ? ` ${Object.keys(node.verbs).join('|')}` : ''}\``)
    .join(', ')
}

export function branchPage(name: string, branch: Branch): HelpPage {
  return {
    name: `facescan ${name}`,
    summary: branch.summary,
    sections: [
      { rows: commandRows({ [name]: branch }) },
      {
        text: `For examples and flags, add --help: \`facescan ${name} ${Object.keys(branch.verbs)[0]} --help\``,
      },
    ],
  }
}

/** Every command with its summary, in one section per group. */
export function commandSections(): HelpSection[] {
  return Object.entries(tree).map(([heading, nouns]) => ({ heading, rows: commandRows(nouns) }))
}

function commandRows(nouns: Nouns): HelpRow[] {
  return leavesOf(nouns).map(([name, { summary }]) => [name, summary])
}
