import { version } from '../../base/version.ts'
import { topicNames } from '../../command/topic-names.ts'
import type { HelpPage } from '../../output/page.ts'
import { type Branch, isBranch, type Leaf, tree } from '../../tree/tree.ts'

/** The first screen, with examples first and every command. It fits on 80x24 together with the prompt of the shell. */
export function rootPage(): HelpPage {
  return {
    name: `facescan ${version}`,
    summary: 'manage users, face scans, and health data',
    sections: [
      {
        heading: 'Get started in the built-in sandbox (no key, no network)',
        rows: [
          ['facescan demo', 'step-by-step tour'],
          ['facescan users create', 'create a user; prompts for the details'],
          ['facescan profiles add ACME-DEV', 'connect to the service'],
        ],
      },
      {
        heading: 'Commands',
        titled: true,
        rows: tree.map(({ title, nouns }) => [title, surfaceOf(nouns)] as const),
      },
      {
        rows: [
          ['facescan COMMAND --help', 'examples and flags of a command'],
          ['facescan help TOPIC', topicNames.join(', ')],
        ],
      },
    ],
  }
}

function surfaceOf(nouns: Readonly<Record<string, Leaf | Branch>>): string {
  return Object.entries(nouns)
    .map(([noun, node]) => `\`${noun}${isBranch(node) ? ` ${Object.keys(node.verbs).join('|')}` : ''}\``)
    .join(', ')
}
