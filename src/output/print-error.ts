import { type FacescanError, textOf, UsageError } from '../base/errors.ts'
import type { Output } from '../base/io.ts'
import { renderHints } from './hint.ts'
import { formatMessage, isForMachines } from './message.ts'
import type { OutputFormat } from './settings.ts'
import { escapeControls, escapeJson, shortenParts } from './text.ts'
import type { Terminal } from './view.ts'
import { write } from './write.ts'

type Hide = (text: string) => string

function forPeople(error: FacescanError, terminal: Terminal, hide: Hide): string {
  const { requestId } = error.details
  const hint = renderHints(error)
  const problems = error instanceof UsageError ? error.problems.map(textOf) : [error.message]
  // Secrets are hidden first, because a part of a secret would not be recognized in a shortened text.
  const lines = problems.map((problem) => formatMessage('error', hide(problem), terminal))
  if (hint !== undefined) lines.push(formatMessage('hint', hide(hint), terminal))
  if (requestId !== undefined) {
    const line = `request ID: ${escapeControls(shortenParts(requestId))}`
    lines.push(terminal.pictures ? `  ${terminal.dim(line)}\n` : `${line}\n`)
  }
  return lines.join('')
}

/** An error as JSON. An unknown value is null, so that each field is present. */
function forMachines(failure: FacescanError, hide: Hide): string {
  const { code, details, exitCode } = failure
  const { message, problems } = describeForMachines(failure)
  const safe = (text: string) => shortenParts(hide(text))
  const hint = renderHints(failure)
  const error = {
    code,
    message: safe(message),
    status: details.status ?? null,
    request_id: details.requestId ?? null,
    retryable: details.retryable ?? false,
    retry_after: details.retryAfter ?? null,
    hint: hint === undefined ? null : hide(hint),
    problems: problems.map((problem) => ({ ...problem, message: safe(problem.message) })),
    exit_code: exitCode,
  }
  return `${escapeJson(JSON.stringify({ error }))}\n`
}

/** The message of an error in one line, and the list of its problems. Only the list contains problems in a file. */
function describeForMachines(failure: FacescanError) {
  const all = (failure instanceof UsageError ? failure.problems : failure.details.problems) ?? []
  const placed = all.filter(({ line }) => line !== undefined)
  const general = all.filter(({ line }) => line === undefined)
  const heading =
    failure instanceof UsageError
      ? general.map(textOf).join('; ')
      : (failure.message.split(':\n', 1)[0] ?? '')
  return {
    message: all.length > 0 ? heading : failure.message.replaceAll('\n', ' '),
    problems: (placed.length > 0 ? placed : general).map(
      ({ line = null, column = null, code = null, message }) => ({ line, column, code, message }),
    ),
  }
}

/** Prints an error on stderr: as text, or as a line of JSON. `terminal` describes stderr. `hide` removes secrets from a text. */
export async function printError(
  error: FacescanError,
  format: OutputFormat,
  { stderr, terminal, hide = (text) => text }: { stderr: Output; terminal: Terminal; hide?: Hide },
): Promise<void> {
  await write(
    stderr,
    hide(isForMachines(format, stderr) ? forMachines(error, hide) : forPeople(error, terminal, hide)),
  )
}
