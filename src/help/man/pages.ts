import type { HelpSection } from '../../output/page.ts'
import { type Branch, type Leaf, loadCommands, nouns } from '../../routes/routes.ts'
import { commandPage } from '../pages/command-page.ts'
import { commandSections } from '../pages/overview.ts'
import { topics } from '../pages/topics.ts'

export interface ManPage {
  file: string
  text: string
}

/** The manual pages: an overview, and one page per noun. */
export async function manPages(version: string): Promise<ManPage[]> {
  const pages = await Promise.all(
    Object.entries(nouns).map(async ([noun, node]) => ({
      file: `facescan-${noun}.1`,
      text: await nounPage(noun, node, version),
    })),
  )
  return [{ file: 'facescan.1', text: overview(version) }, ...pages]
}

function overview(version: string): string {
  const description =
    'facescan is a command-line tool that manages users, face scans, and health data. Its built-in sandbox does not need a key or a network connection.'
  const examples = [
    'facescan demo',
    'facescan users create 4711',
    'facescan scan-url 4711 --qr --wait',
    'facescan biomarkers list 4711 -o csv',
  ]
  const seeAlso = Object.keys(nouns).map((noun) => `\\fBfacescan\\-${toTroff(noun)}\\fR(1)`)
  return join([
    renderHead('facescan', 'manage users, face scans, and health data', version),
    renderPart('SYNOPSIS', [{ text: '`facescan` COMMAND [flags]' }]),
    renderPart('DESCRIPTION', [{ text: description }]),
    renderPart('EXAMPLES', [{ examples }]),
    ...commandSections().map(({ heading, rows }) => renderPart(`COMMANDS: ${heading}`, [{ rows }])),
    renderPart('GLOBAL FLAGS', topics.flags.sections),
    renderPart('FORMATS', topics.formats.sections),
    renderPart('PROFILES', topics.profiles.sections),
    renderPart('MANY USERS', topics['many-users'].sections),
    renderPart('IMPORT', topics.import.sections),
    renderPart('ENVIRONMENT', topics.environment.sections),
    renderPart('EXIT STATUS', topics['exit-codes'].sections.slice(0, 1)),
    '.SH "SEE ALSO"',
    seeAlso.join(', '),
  ])
}

async function nounPage(noun: string, node: Leaf | Branch, version: string): Promise<string> {
  const commands = await loadCommands({ [noun]: node })
  const parts = commands
    .map((command) => commandPage(command, true))
    .map(({ name, summary, sections }) => renderPart(name, [{ text: summary }, ...sections]))
  const head = renderHead(`facescan-${noun}`, node.summary, version)
  return join([head, ...parts, '.SH "SEE ALSO"', '\\fBfacescan\\fR(1)'])
}

function renderHead(name: string, summary: string, version: string): string {
  return [
    `.TH "${name.toUpperCase()}" "1" "" "facescan ${version}" "User Commands"`,
    '.SH NAME',
    `${toTroff(name)} \\- ${toTroff(summary)}`,
  ].join('\n')
}

function renderPart(heading: string, sections: readonly HelpSection[]): string {
  return [`.SH "${toTroff(heading)}"`, ...sections.flatMap(renderSection)].join('\n')
}

function renderSection({ heading, text, examples = [], rows = [] }: HelpSection): string[] {
  const bold = (words: string) => `\\fB${toTroff(words)}\\fR`
  return [
    ...(heading === undefined ? [] : [`.SS "${toTroff(heading)}"`]),
    ...(text === undefined ? [] : ['.PP', toTroff(text).replaceAll('\n\n', '\n.PP\n')]),
    ...(examples.length === 0 ? [] : ['.PP', '.nf', ...examples.map(bold), '.fi']),
    ...rows.flatMap(([term, meaning]) => ['.TP', bold(term), ...(meaning === '' ? [] : [toTroff(meaning)])]),
  ]
}

/** Escapes text for troff. Words in backquotes become bold. */
function toTroff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\x00-\x7f]/gu, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
      return `\\[u${code.padStart(4, '0')}]`
    })
}

function join(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`
}
