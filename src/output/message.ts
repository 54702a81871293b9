import { type FacescanError, UsageError } from '../base/errors.ts'
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

function forPeople(error: FacescanError, pen: Pen): string {
  const { requestId } = error.details
  const hint = renderHints(error)
  const problems = error instanceof UsageError ? error.problems : [error.message]
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
  const { code, message, details, exitCode } = failure
  const error = {
    code,
    message,
    status: details.status ?? null,
    request_id: details.requestId ?? null,
    retryable: details.retryable ?? false,
    retry_after: details.retryAfter ?? null,
    hint: renderHints(failure) ?? null,
    exit_code: exitCode,
  }
  return `${escapeJson(JSON.stringify({ error }))}\n`
}

/**
 * Prints an error on stderr, as JSON in a machine-readable output format. `pen` is the pen for stderr, and `hide` removes
 * secrets from the text.
 */
export async function printError(
  error: FacescanError,
  format: OutputFormat,
  { stderr, pen, hide = (text) => text }: { stderr: Output; pen: Pen; hide?(text: string): string },
): Promise<void> {
  await write(stderr, hide(isForPeople({ format }) ? forPeople(error, pen) : forMachines(error)))
}
