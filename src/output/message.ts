import { type ErrorDetails, exitCodes, FacescanError, UsageError } from '../errors.ts'
import type { Output } from '../io.ts'
import type { OutputSettings } from './settings.ts'
import { escapeControls, wrap } from './text.ts'
import type { Pen } from './view.ts'
import { write } from './write.ts'

export type MessageKind = 'error' | 'warning' | 'done' | 'note' | 'hint'

const marks = {
  error: { symbol: '✗', word: 'error: ', style: 'red' },
  warning: { symbol: '!', word: 'warning: ', style: 'yellow' },
  done: { symbol: '✓', word: '', style: 'green' },
  note: { symbol: '·', word: '', style: 'dim' },
  hint: { symbol: '→', word: 'hint: ', style: 'cyan' },
} as const

/** One remark for stderr, ending in a line feed: a symbol on a terminal, a word where symbols say nothing. */
export function formatMessage(kind: MessageKind, text: string, pen: Pen): string {
  const { symbol, word, style } = marks[kind]
  const safe = escapeControls(text)
  if (!pen.pictures) return `${word}${safe}\n`
  const [first = '', ...rest] = safe.split('\n').flatMap((line) => wrap(line, pen.width - 2))
  return [`${pen[style](symbol)} ${first}`, ...rest.map((line) => `  ${line}`)]
    .map((line) => `${line}\n`)
    .join('')
}

interface Explained extends ErrorDetails {
  code: FacescanError['code']
  message: string
  problems: readonly string[]
  exitCode: number
}

function explain(error: unknown): Explained {
  if (error instanceof FacescanError) {
    const problems = error instanceof UsageError ? error.problems : [error.message]
    return { ...error.details, code: error.code, message: error.message, problems, exitCode: error.exitCode }
  }
  const message = `unexpected failure: ${error instanceof Error ? error.message : String(error)}`
  return {
    code: 'internal',
    message,
    problems: [message],
    exitCode: exitCodes.internal,
    hint: 'This is a bug in facescan. Run the command again with --debug and report what it shows.',
  }
}

function forPeople(explained: Explained, pen: Pen): string {
  const { problems, hint, requestId } = explained
  const lines = problems.map((problem) => formatMessage('error', problem, pen))
  if (hint !== undefined) lines.push(formatMessage('hint', hint, pen))
  if (requestId !== undefined) {
    const line = `request id: ${escapeControls(requestId)}`
    lines.push(pen.pictures ? `  ${pen.dim(line)}\n` : `${line}\n`)
  }
  return lines.join('')
}

/** Absent facts are null, so that a reader finds every field. */
function forMachines(explained: Explained): string {
  const error = {
    code: explained.code,
    message: explained.message,
    status: explained.status ?? null,
    request_id: explained.requestId ?? null,
    retryable: explained.retryable ?? false,
    retry_after: explained.retryAfter ?? null,
    hint: explained.hint ?? null,
    exit_code: explained.exitCode,
  }
  return `${JSON.stringify({ error })}\n`
}

/** Tells stderr what failed, as JSON where a machine output was asked for. `pen` is that of stderr. */
export async function printError(
  error: unknown,
  settings: Pick<OutputSettings, 'format' | 'fields' | 'jq'>,
  { stderr, pen }: { stderr: Output; pen: Pen },
): Promise<void> {
  const machine = settings.format !== 'table' || settings.fields !== undefined || settings.jq !== undefined
  const explained = explain(error)
  await write(stderr, machine ? forMachines(explained) : forPeople(explained, pen))
}
