import type { Output } from '../base/io.ts'
import { isForPeople, type OutputFormat } from './settings.ts'
import { breakCommand, escapeControls, escapeJson, maskQuoted, shortenParts, widthOf, wrap } from './text.ts'
import type { Terminal } from './view.ts'

/** Symbol before the message about a success, and before an answered prompt. */
export const checkMark = '✓'

const marks = {
  error: { symbol: '✗', word: 'error: ', style: 'red' },
  warning: { symbol: '!', word: 'warning: ', style: 'yellow' },
  success: { symbol: checkMark, word: '', style: 'green' },
  note: { symbol: '·', word: '', style: 'dim' },
  hint: { symbol: '→', word: 'hint: ', style: 'cyan' },
} as const

/** Lines after the first are indented, because a line break in a file name or an argument must not start another message. */
export function formatMessage(kind: keyof typeof marks, text: string, terminal: Terminal): string {
  const { symbol, word, style } = marks[kind]
  // A hint and an equivalent command are not shortened, because people paste them.
  const isPasted = kind === 'hint' || text.startsWith('equivalent command: ')
  const escaped = escapeControls(isPasted ? text : shortenParts(text))
  const safe = terminal.pictures ? escaped : escaped.replaceAll('\n', '\n  ')
  if (!terminal.isTTY) return `${word}${safe}\n`
  const indent = terminal.pictures ? 2 : 0
  const [first = '', ...rest] = (terminal.pictures ? safe : word + safe)
    .split('\n')
    .flatMap((line) => breakLine(line, terminal.width - indent))
  const start = terminal.pictures ? `${terminal[style](symbol)} ` : ''
  return `${[start + first, ...rest.map((line) => ' '.repeat(indent) + line)].join('\n')}\n`
}

/** Moves a command from the end of a long line to its own lines, so that it can be copied. */
function breakLine(line: string, width: number): string[] {
  const [, text] = /^(.*:) (?:[^:]+ (?:&&|\|) )?facescan (?:(?!\. [A-Z]).)+$/.exec(maskQuoted(line)) ?? []
  if (text === undefined || widthOf(line) <= width) return wrap(line, width)
  const { length } = text
  return [...wrap(line.slice(0, length), width), ...breakCommand(line.slice(length + 1), width)]
}

export function formatMessageForMachines(kind: 'success' | 'note' | 'warning', message: string): string {
  return `${escapeJson(JSON.stringify({ [kind === 'warning' ? kind : 'note']: { message: shortenParts(message) } }))}\n`
}

/** Whether messages are printed as JSON. On a terminal they are text, even if the output is redirected. */
export function isForMachines(format: OutputFormat, stderr: Output): boolean {
  return !isForPeople({ format }) && !stderr.isTTY
}
