import { getSystemErrorMap } from 'node:util'

/** Exit codes and their meanings. The key is the `code` of the error in JSON. */
export const exitCodes = {
  ok: [0, 'success'],
  internal: [1, 'bug in facescan; the error message shows the path to the crash report'],
  usage: [2, 'usage error or invalid local file'],
  unauthenticated: [3, 'missing key or token, or the service rejected it (401)'],
  not_found: [4, 'user, scan, or endpoint not found (404)'],
  forbidden: [5, 'permission denied (403)'],
  rejected: [6, 'request rejected by the service (400, 409, 422 …)'],
  rate_limited: [7, 'rate-limited for longer than the maximum wait (429)'],
  server: [8, 'service error (5xx)'],
  network: [9, 'network, TLS, or timeout error'],
  list_failed: [10, 'list finished; some users failed, or answers are missing'],
  list_stopped: [11, 'list stopped before it finished; run the command again'],
  import_rejected: [10, 'import finished; some rows were rejected, unknown, or not saved'],
  import_stopped: [11, 'import stopped before it finished; it can be resumed'],
  refused: [12, 'refused by a safety rule, or declined at the prompt'],
  configuration: [13, 'profile, configuration, or key store error'],
  interrupted: [130, 'interrupted with Ctrl-C'],
  terminated: [143, 'terminated with SIGTERM or SIGHUP'],
} as const

export type ErrorCode = Exclude<keyof typeof exitCodes, 'ok'>

export type Applied = 'yes' | 'no' | 'maybe'

/** A next step that is a command. The printed command also contains the flags that select the service. */
export interface Hint {
  /** Text before the command, without a colon. */
  text: string
  /** The words of the command, without `facescan`. */
  run: readonly string[]
  /** Text that the command reads from standard input. */
  stdin?: string | undefined
}

export interface ServiceFlags {
  profile?: string | undefined
  keyFile?: string | undefined
  keyStdin?: boolean | undefined
  /** Path of the file that contains the action token, or `-` for standard input. */
  actionToken?: string | undefined
}

export interface Problem {
  message: string
  line?: number | undefined
  column?: number | string | undefined
  code?: string | undefined
  /** Text for users that contains the message and its position (default: the message). */
  text?: string
}

export interface ErrorDetails {
  problems?: readonly Problem[]
  /** The next step for the user. `renderHints` converts it to text. */
  hint?: string | Hint | readonly (string | Hint)[] | undefined
  service?: ServiceFlags
  defaultFormat?: string | undefined
  status?: number
  requestId?: string
  /** Error text from the service, in one line. */
  detail?: string | undefined
  /** For a 404: whether the user or the base URL was not found. */
  missing?: 'user' | 'address'
  refused?: { kind: 'key' | 'token'; source: string; expiredAt?: string | undefined }
  /** Set if the response to this request was invalid and the request can be sent again. The path is relative to the base URL. */
  request?: { method: string; path: string; body?: string | undefined }
  /** Whether the same command may succeed later. */
  retryable?: boolean
  retryAfter?: number
  /** Whether the service applied the change of the failed request. Undefined if no request was sent. */
  applied?: Applied | undefined
  reported?: (() => void) | undefined
  cause?: unknown
}

/** An expected failure. An error of any other class is a bug, and the exit code is then 1. */
export class FacescanError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'FacescanError'
    this.code = code
    this.details = details
  }

  get exitCode(): number {
    return exitCodes[this.code][0]
  }
}

/** The command line or a local file is invalid, and nothing was sent. Lists every problem. */
export class UsageError extends FacescanError {
  readonly problems: readonly Problem[]

  constructor(problems: string | readonly (string | Problem)[], details: ErrorDetails = {}) {
    const all = [problems].flat().map((one) => (typeof one === 'string' ? { message: one } : one))
    super('usage', all.map(textOf).join('\n'), details)
    this.name = 'UsageError'
    this.problems = all
  }
}

/** The service responded with a 4xx or 5xx status (spec 7). */
export class ServiceError extends FacescanError {
  override readonly name = 'ServiceError'
}

/** No valid response arrived. Causes: name resolution, connection, TLS, timeout, or an invalid response. */
export class NetworkError extends FacescanError {
  override readonly name = 'NetworkError'
  /** Whether it is certain that the request did not leave this machine. If so, sending it again cannot apply the change twice. */
  readonly notSent: boolean

  constructor(message: string, notSent: boolean, details: ErrorDetails = {}) {
    super('network', message, { retryable: true, applied: notSent ? undefined : 'maybe', ...details })
    this.notSent = notSent
  }
}

/** A safety rule refused the command, or the user answered no at the prompt. */
export class RefusedError extends FacescanError {
  override readonly name = 'RefusedError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('refused', message, details)
  }
}

/** A profile, a configuration file, or a key store cannot be used. */
export class ConfigurationError extends FacescanError {
  override readonly name = 'ConfigurationError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('configuration', message, details)
  }
}

export function textOf({ message, text = message }: Problem): string {
  return text
}

/** Whether the service may have applied the change of a command that failed with this error. */
export function mayBeApplied(error: unknown): boolean {
  if (!(error instanceof FacescanError)) return true
  return error.details.applied === 'yes' || error.details.applied === 'maybe'
}

export function codeForStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'server' : 'rejected'
}

/** Error code of a failed system call, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Reason for a failed system call as text: `no such file or directory`. */
export function systemReason(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Number(error.errno) : undefined
  const [, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return words ?? systemCode(error) ?? 'unknown error'
}
