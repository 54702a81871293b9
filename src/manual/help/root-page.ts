import { version } from '../../base/version.ts'
import { topicNames } from '../../command/topic-names.ts'
import type { HelpPage } from '../../output/page.ts'
import { type Branch, isBranch, type Leaf, tree } from '../../tree/tree.ts'

/** The first thing a person sees: one screen of 80 by 24, examples first, every command in it. */
export function rootPage(): HelpPage {
  return {
    name: `facescan ${version}`,
    summary: 'users, face scans and health data, from the command line',
    sections: [
      {
        heading: 'Start here, on the built-in sandbox: no key, no network',
        rows: [
          ['facescan demo', 'a tour, step by step'],
          ['facescan users create', 'your first user: asks for what it needs'],
          ['facescan profiles add ACME-DEV', 'then: connect to the service'],
        ],
      },
      {
        heading: 'Commands',
        titled: true,
        rows: tree.map(({ title, nouns }) => [title, surfaceOf(nouns)] as const),
      },
      {
        heading: 'Learn more',
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
