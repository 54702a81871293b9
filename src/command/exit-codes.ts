import { exitCodes } from '../base/errors.ts'
import type { HelpPage, HelpRow } from '../output/page.ts'

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  internal: 'a bug in facescan: the message says where the report is',
  usage: 'the command line or a local file is wrong; nothing was sent',
  unauthenticated: 'no key, or the service refused it (401)',
  not_found: 'no such user, scan or endpoint (404)',
  forbidden: 'the key or token lacks the permission (403)',
  rejected: 'the service refused the request (400, 409, 422 …)',
  rate_limited: 'rate limited for longer than the command may wait (429)',
  server: 'the service failed (5xx)',
  network: 'no answer: name, connection, TLS or time-out',
  import_rejected: 'the import finished, some rows were rejected',
  import_stopped: 'the import stopped before the end and can be resumed',
  refused: 'a safety rule refused, or the question was declined',
  configuration: 'a profile, configuration file or key store cannot be used',
  interrupted: 'stopped with Ctrl-C',
  terminated: 'stopped by SIGTERM',
}

export interface ExitCode {
  exit_code: number
  /** The `code` of the JSON error. */
  code: string
  meaning: string
}

export function listExitCodes(): ExitCode[] {
  return Object.entries(exitCodes).map(([code, exit_code]) => ({
    exit_code,
    code,
    meaning: meanings[code as keyof typeof exitCodes],
  }))
}

export function exitCodeRows(): HelpRow[] {
  return listExitCodes().map(({ exit_code, meaning }) => [String(exit_code), meaning] as const)
}

export function exitCodesPage(): HelpPage {
  return {
    name: 'Exit codes',
    summary: 'what a command tells the shell',
    sections: [
      { rows: exitCodeRows() },
      {
        heading: 'Errors for programs',
        text: 'With a machine output the error is one JSON line on stderr, and stdout is empty:',
        examples: [
          `facescan users get unknown --json\n  {"error":{"code":"not_found","message":"…","status":404,"request_id":"…",\n   "retryable":false,"retry_after":null,"hint":"…","exit_code":4}}`,
        ],
      },
    ],
  }
}
