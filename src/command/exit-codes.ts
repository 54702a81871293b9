import { type ErrorCode, exitCodes } from '../base/errors.ts'
import type { Command } from './define-command.ts'
import type { ProgramSchema } from './program-schema.ts'

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'success',
  internal: 'bug in facescan; the error shows the path of a crash report',
  usage: 'usage error or invalid local file; nothing was sent',
  unauthenticated: 'no key, or the service rejected it (401)',
  not_found: 'user, scan, or endpoint not found (404)',
  forbidden: 'permission denied (403)',
  rejected: 'request rejected by the service (400, 409, 422 …)',
  rate_limited: 'rate-limited for longer than the maximum wait (429)',
  server: 'service error (5xx)',
  network: 'network, TLS, or timeout error',
  import_rejected: 'import finished; some rows were rejected',
  import_stopped: 'import stopped before the end; can be resumed',
  refused: 'refused by a safety rule, or declined at the prompt',
  configuration: 'profile, configuration, or key store error',
  interrupted: 'interrupted with Ctrl-C',
  terminated: 'terminated with SIGTERM',
}

/** `code` is the `code` of the JSON error. */
export function listExitCodes(): ProgramSchema['exit_codes'] {
  return Object.entries(exitCodes).map(([code, exit_code]) => ({
    exit_code,
    code,
    meaning: meanings[code as keyof typeof exitCodes],
  }))
}

/** `network` is included because `--max-time` applies to every command. */
const always = ['ok', 'internal', 'usage', 'network', 'configuration', 'interrupted', 'terminated'] as const

/** Error codes that a call of the service can cause. */
export const serviceFailures: readonly ErrorCode[] = [
  'unauthenticated',
  'not_found',
  'forbidden',
  'rejected',
  'rate_limited',
  'server',
]

/** Every exit code that the command can end with, in ascending order. */
export function exitCodesOf({ calls, localEffect, failures }: Command): number[] {
  const fromCalls: ErrorCode[] = calls.length === 0 ? [] : [...serviceFailures, 'refused']
  const fromChanges: ErrorCode[] = localEffect === 'read' ? [] : ['refused']
  const codes = new Set([...always, ...fromCalls, ...fromChanges, ...failures])
  return [...codes].map((code) => exitCodes[code]).sort((a, b) => a - b)
}
