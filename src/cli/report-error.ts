import { ConfigurationError, FacescanError, systemCode } from '../base/errors.ts'
import type { Output } from '../base/io.ts'
import { hideKeys, hideKeysIn } from '../base/mask.ts'
import { resolvePaths } from '../base/paths.ts'
import { writeCrashReport } from '../base/process.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import { createTerminal } from '../output/colors.ts'
import { printError } from '../output/print-error.ts'
import type { Terminal } from '../output/view.ts'
import { ClosedPipe, write } from '../output/write.ts'
import { findCommand } from '../routes/routes.ts'
import { chooseErrorFormat } from './choose-output.ts'
import { splitRest } from './describe-problems.ts'
import type { CommandLine } from './tokenize.ts'

/** Prints an error on stderr and resolves with its exit code. */
export async function reportError(
  error: unknown,
  line: CommandLine,
  environment: ProcessEnvironment,
): Promise<number> {
  if (error instanceof ClosedPipe) return 0
  // For an aborted stream, Node wraps the reason in an AbortError.
  const reason = error instanceof Error && error.name === 'AbortError' ? error.cause : error
  const failure =
    reason instanceof FacescanError
      ? reason
      : (describeLimit(reason) ?? describeBug(error, line, environment))
  const { io, env, clock } = environment
  const terminal = await createTerminal({ stream: io.stderr, env, color: line.color, clock })
  const format = chooseErrorFormat(line, env, failure.details.defaultFormat)
  const hideWords = hideKeys(line.argv, failure.code === 'usage' || failure.code === 'configuration', env)
  // A usage error can quote text from a file that contains a key, so all text that looks like a key is hidden.
  const hide = (text: string) => hideWords(failure.code === 'usage' ? hideKeysIn(text) : text)
  // If stderr is closed, only the exit code reports the error.
  await leaveEcho(failure, io.stderr, terminal)
    .then(() => printError(failure, format, { stderr: io.stderr, terminal: terminal, hide }))
    .then(failure.details.reported)
    .catch(() => undefined)
  return failure.exitCode
}

/** A terminal prints ^C at the cursor. The message overwrites it, or starts on a new line if prompts are plain lines. */
async function leaveEcho({ code }: FacescanError, stderr: Output, terminal: Terminal): Promise<void> {
  if (code === 'interrupted' && terminal.isTTY) await write(stderr, terminal.pictures ? '\r\x1b[K' : '\n')
}

/** Errors of the machine or the installation that can occur anywhere in the program. */
const limits: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  MODULE_NOT_FOUND: [
    'a file of the facescan program is missing',
    'If facescan has just been upgraded, run the same command again. Otherwise, install facescan again.',
  ],
  EMFILE: ['too many open files', 'Increase the limit (ulimit -n), then run the same command again.'],
  ENFILE: ['too many open files on this machine', 'Close other programs, then run the same command again.'],
}

function describeLimit(error: unknown): FacescanError | undefined {
  const [message, hint] = limits[systemCode(error) ?? ''] ?? []
  return message === undefined ? undefined : new ConfigurationError(message, { hint, cause: error })
}

/**
 * Creates the error for a bug in facescan. It contains only the type of the unexpected error and the path of a report, because the original
 * message can contain user data.
 */
function describeBug(error: unknown, line: CommandLine, { env, clock }: ProcessEnvironment): FacescanError {
  const name = error instanceof Error ? error.name : typeof error
  const command = findCommand([...line.operands, ...splitRest(line).afterUnknownFlag])?.name ?? ''
  const file = writeCrashReport(error, { command, paths: resolvePaths(env), now: clock.now() })
  const hint = file
    ? `This is a bug in facescan. Please report it and attach ${file}; the file contains no personal data.`
    : 'This is a bug in facescan. Please report it.'
  return new FacescanError('internal', `unexpected error in facescan (${name})`, {
    hint,
    cause: error,
  })
}
