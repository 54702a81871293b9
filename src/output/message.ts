import { type FacescanError, textOf, UsageError } from '../base/errors.ts'
import type { Output } from '../base/io.ts'
import { renderHints } from './hint.ts'
import { escapeJson } from './json.ts'
import { isForPeople, type OutputFormat } from './settings.ts'
import { breakCommand, escapeControls, widthOf, wrap } from './text.ts'
import type { Pen } from './view.ts'
import { write } from './write.ts'

const marks = {
  error: { symbol: '✗', word: 'error: ', style: 'red' },
  warning: { symbol: '!', word: 'warning: ', style: 'yellow' },
  success: { symbol: '✓', word: '', style: 'green' },
  note: { symbol: '·', word: '', style: 'dim' },
  hint: { symbol: '→', word: 'hint: ', style: 'cyan' },
} as const

/** A message for stderr that ends with a line break. On a terminal it starts with a symbol, otherwise with a word. */
export function formatMessage(kind: keyof typeof marks, text: string, pen: Pen): string {
  const { symbol, word, style } = marks[kind]
  const safe = escapeControls(text)
  if (!pen.pictures) return `${word}${safe}\n`
  const [first = '', ...rest] = safe.split('\n').flatMap((line) => breakLine(line, pen.width - 2))
  return [`${pen[style](symbol)} ${first}`, ...rest.map((line) => `  ${line}`)]
    .map((line) => `${line}\n`)
    .join('')
}

/** Moves a command at the end of a long line to its own lines, so that it can be copied. */
function breakLine(line: string, width: number): string[] {
  const [, text = line, command] =
    /^(.*:) ((?:[^:]+ (?:&&|\|) )?facescan (?:(?!\. [A-Z]).)+)$/.exec(line) ?? []
  if (command === undefined || widthOf(line) <= width) return wrap(line, width)
  return [...wrap(text, width), ...breakCommand(command, width)]
}

/** A message as one line of JSON. */
export function formatMessageForMachines(kind: 'success' | 'note' | 'warning', message: string): string {
  return `${escapeJson(JSON.stringify({ [kind === 'warning' ? kind : 'note']: { message } }))}\n`
}

/** Whether messages are printed as JSON. On a terminal they are text, even if the output is redirected. */
export function isForMachines(format: OutputFormat, stderr: Output): boolean {
  return !isForPeople({ format }) && !stderr.isTTY
}

function forPeople(error: FacescanError, pen: Pen): string {
  const { requestId } = error.details
  const hint = renderHints(error)
  const problems = error instanceof UsageError ? error.problems.map(textOf) : [error.message]
  const lines = problems.map((problem) => formatMessage('error', problem, pen))
  if (hint !== undefined) lines.push(formatMessage('hint', hint, pen))
  if (requestId !== undefined) {
    const line = `request ID: ${escapeControls(requestId)}`
    lines.push(pen.pictures ? `  ${pen.dim(line)}\n` : `${line}\n`)
  }
  return lines.join('')
}

/** An error as JSON. Unknown values are null, so each field is always present. */
function forMachines(failure: FacescanError): string {
  const { code, details, exitCode } = failure
  const { message, problems } = describeForMachines(failure)
  const error = {
    code,
    message,
    status: details.status ?? null,
    request_id: details.requestId ?? null,
    retryable: details.retryable ?? false,
    retry_after: details.retryAfter ?? null,
    hint: renderHints(failure) ?? null,
    problems,
    exit_code: exitCode,
  }
  return `${escapeJson(JSON.stringify({ error }))}\n`
}

/** The message of an error in one line, and its list of problems. The message does not repeat problems of a file. */
function describeForMachines(failure: FacescanError) {
  const all = (failure instanceof UsageError ? failure.problems : failure.details.problems) ?? []
  const placed = all.filter(({ line }) => line !== undefined)
  const general = all.filter(({ line }) => line === undefined)
  const ownMessage = failure.message.replaceAll('\n', ' ')
  const heading =
    failure instanceof UsageError
      ? general.map(textOf).join('; ')
      : (failure.message.split(':\n', 1)[0] ?? '')
  return {
    message: all.length > 0 ? heading : ownMessage,
    problems: (placed.length > 0 ? placed : general).map(
      ({ line = null, column = null, code = null, message }) => ({ line, column, code, message }),
    ),
  }
}

/**
 * Prints an error on stderr: as text, or as a line of JSON for programs. `pen` is the pen for stderr, and `hide` removes secrets from the
 * text.
 */
export async function printError(
  error: FacescanError,
  format: OutputFormat,
  { stderr, pen, hide = (text) => text }: { stderr: Output; pen: Pen; hide?(text: string): string },
): Promise<void> {
  await write(stderr, hide(isForMachines(format, stderr) ? forMachines(error) : forPeople(error, pen)))
}
