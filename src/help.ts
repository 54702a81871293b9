import type { Command } from './command.ts'
import type { Pen } from './output/view.ts'
import { type Branch, tree } from './tree.ts'
import { version } from './version.ts'

function columns(rows: readonly (readonly [string, string])[], pen: Pen): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${pen.cyan(name.padEnd(width))}  ${text}`).join('\n')
}

/** The root help: one screen, grouped by task, examples first. */
export function rootHelp(pen: Pen): string {
  const groups = tree.map(({ title, nouns }) => {
    const rows = Object.entries(nouns).map(([name, node]) => [name, node.summary] as const)
    return `${pen.bold(title)}\n${columns(rows, pen)}`
  })
  return [
    `${pen.bold('facescan')} ${version} — administration of a face-scan health service`,
    `${pen.bold('Start here')} (no key, no network: everything runs on the built-in sandbox)\n${columns(
      [
        ['facescan demo', 'a two-minute tour'],
        ['facescan users create --external-user-id 4711', 'your first user'],
        ['facescan profiles add ACME-DEV', 'connect to the real service'],
      ],
      pen,
    )}`,
    ...groups,
    `${pen.dim('facescan COMMAND --help shows examples and flags; facescan help TOPIC explains environment, exit-codes, formats, import, profiles.')}`,
  ].join('\n\n')
}

export function branchHelp(name: string, branch: Branch, pen: Pen): string {
  const rows = Object.entries(branch.verbs).map(([verb, leaf]) => [`${name} ${verb}`, leaf.summary] as const)
  return [
    `${pen.bold(`facescan ${name}`)} — ${branch.summary}`,
    columns(rows, pen),
    pen.dim(`facescan ${name} VERB --help shows examples and flags.`),
  ].join('\n\n')
}

/** The help of one command: what it does, examples, then flags. */
export async function commandHelp(
  name: string,
  summary: string,
  command: Command,
  pen: Pen,
): Promise<string> {
  const { createParser } = await import('./arguments.ts')
  const parser = createParser(`facescan ${name}`, command).configureHelp({
    helpWidth: Math.min(pen.width, 110),
    styleTitle: (text) => pen.bold(text),
    styleOptionTerm: (text) => pen.cyan(text),
  })
  const examples = command.examples.map((example) => `  ${pen.dim('$')} ${example}`).join('\n')
  return [
    `${pen.bold(`facescan ${name}`)} — ${summary}${command.description ? `\n${command.description}` : ''}`,
    `${pen.bold('Examples')}\n${examples}`,
    parser.helpInformation().trimEnd(),
  ].join('\n\n')
}
