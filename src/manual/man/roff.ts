import type { HelpPage, HelpSection } from '../../output/page.ts'

/** Escapes the requests and escape sequences of troff. Words in backquotes become bold. */
function toTroff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\x00-\x7f]/gu, (character) => `\\[u${unicodeName(character)}]`)
}

function unicodeName(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

function renderSection({ heading, text, examples = [], rows = [] }: HelpSection, request: string): string[] {
  return [
    ...(heading === undefined ? [] : [`.${request} "${toTroff(heading)}"`]),
    ...(text === undefined ? [] : ['.PP', toTroff(text).replaceAll('\n\n', '\n.PP\n')]),
    ...(examples.length === 0
      ? []
      : ['.PP', '.nf', ...examples.map((example) => `\\fB${toTroff(example)}\\fR`), '.fi']),
    ...rows.flatMap(([term, meaning]) => [
      '.TP',
      `\\fB${toTroff(term)}\\fR`,
      ...(meaning === '' ? [] : [toTroff(meaning)]),
    ]),
  ]
}

/** Sections below one heading, as a part of a longer page. */
export function renderPart(heading: string, sections: readonly HelpSection[]): string {
  return [`.SH "${toTroff(heading)}"`, ...sections.flatMap((section) => renderSection(section, 'SS'))].join(
    '\n',
  )
}

/** Head of a page in section 1 of the manual. */
export function renderHead(name: string, summary: string, version: string): string {
  const dashed = name.replaceAll(' ', '-')
  return [
    `.TH "${dashed.toUpperCase()}" "1" "" "facescan ${version}" "User Commands"`,
    '.SH NAME',
    `${toTroff(dashed)} \\- ${toTroff(summary)}`,
  ].join('\n')
}

/** A command as a part of the page of its noun. */
export function renderCommand(page: HelpPage): string {
  return renderPart(page.name, [{ text: page.summary }, ...page.sections])
}
