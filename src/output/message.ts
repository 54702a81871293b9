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

/** A message for stderr with a line feed at the end. It starts with a symbol on a terminal, and with a word elsewhere. */
export function formatMessage(kind: keyof typeof marks, text: string, pen: Pen): string {
  const { symbol, word, style } = marks[kind]
  const safe = escapeControls(text)
  if (!pen.pictures) return `${word}${safe}\n`
  const [first = '', ...rest] = safe.split('\n').flatMap((line) => breakLine(line, pen.width - 2))
  return [`${pen[style](symbol)} ${first}`, ...rest.map((line) => `  ${line}`)]
    .map((line) => `${line}\n`)
    .join('')
}

/** A command at the end of a long line moves to its own lines, so it can be copied. */
function breakLine(line: string, width: number): string[] {
  const [, text = line, command] =
    /^(.*:) ((?:[^:]+ (?:&&|\|) )?facescan (?:(?!\. [A-Z]).)+)$/.exec(line) ?? []
  if (command === undefined || widthOf(line) <= width) return wrap(line, width)
  return [...wrap(text, width), ...breakCommand(command, width)]
}

/** The same message as a line of JSON. */
export function formatMessageForMachines(kind: 'success' | 'note' | 'warning', message: string): string {
  return `${escapeJson(JSON.stringify({ [kind === 'warning' ? kind : 'note']: { message } }))}\n`
}

/** Whether messages are lines of JSON: a person reads a terminal, even if the output is redirected. */
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

/** Unknown values are null, so every field is always present. */
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

/** The message in one line, and the problems that are listed in it. Problems of a file are not repeated in the message. */
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
 * Prints an error on stderr, as a line of JSON for programs. `pen` is the pen for stderr, and `hide` removes
 * secrets from the text.
 */
export async function printError(
  error: FacescanError,
  format: OutputFormat,
  { stderr, pen, hide = (text) => text }: { stderr: Output; pen: Pen; hide?(text: string): string },
): Promise<void> {
  await write(stderr, hide(isForMachines(format, stderr) ? forMachines(error) : forPeople(error, pen)))
}
