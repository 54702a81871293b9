import { ownVariables, supportedVariables } from '../../command/environment.ts'
import { exitCodeRows } from '../../command/exit-codes.ts'
import { allNouns, type Branch, type Leaf, leavesOf } from '../../tree/tree.ts'
import { commandSections } from '../help/branch-page.ts'
import { commandPage } from '../help/command-page.ts'
import { topics } from '../help/topics.ts'
import { renderCommand, renderHead, renderPart } from './roff.ts'

export interface ManPage {
  file: string
  text: string
}

/** The manual: an overview, and a page for each noun. */
export async function manPages(version: string): Promise<ManPage[]> {
  const nouns = await Promise.all(
    Object.entries(allNouns()).map(async ([noun, node]) => ({
      file: `facescan-${noun}.1`,
      text: await nounPage(noun, node, version),
    })),
  )
  return [{ file: 'facescan.1', text: overview(version) }, ...nouns]
}

function overview(version: string): string {
  const seeAlso = Object.keys(allNouns()).map(
    (noun) => `\\fBfacescan\\-${noun.replaceAll('-', '\\-')}\\fR(1)`,
  )
  return join([
    renderHead('facescan', 'manage users, face scans, and health data', version),
    renderPart('SYNOPSIS', [{ text: '`facescan` COMMAND [flags]' }]),
    renderPart('DESCRIPTION', [
      {
        text: 'Administration of a face-scan health insights service. A built-in sandbox of the service needs no key and no network.',
      },
    ]),
    renderPart('EXAMPLES', [
      {
        examples: [
          'facescan demo',
          'facescan users create 4711',
          'facescan scan-url 4711 --qr --wait',
          'facescan biomarkers list 4711 -o csv',
        ],
      },
    ]),
    ...commandSections().map(({ heading, rows }) => renderPart(`COMMANDS: ${heading}`, [{ rows }])),
    renderPart('GLOBAL FLAGS', topics.flags().sections),
    renderPart('FORMATS', topics.formats().sections),
    renderPart('PROFILES', topics.profiles().sections),
    renderPart('ENVIRONMENT', [{ rows: ownVariables }, { rows: supportedVariables }]),
    renderPart('EXIT STATUS', [{ rows: exitCodeRows() }]),
    '.SH "SEE ALSO"',
    seeAlso.join(', '),
  ])
}

async function nounPage(noun: string, node: Leaf | Branch, version: string): Promise<string> {
  const parts = await Promise.all(
    leavesOf({ [noun]: node }).map(async ([name, leaf]) =>
      renderCommand(commandPage(name, leaf.summary, (await leaf.load()).default)),
    ),
  )
  return join([
    renderHead(`facescan ${noun}`, node.summary, version),
    ...parts,
    '.SH "SEE ALSO"',
    '\\fBfacescan\\fR(1)',
  ])
}

function join(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`
}
