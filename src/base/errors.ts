/** Exit codes. This is the only table of them in the program. */
export const exitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  unauthenticated: 3,
  not_found: 4,
  forbidden: 5,
  rejected: 6,
  rate_limited: 7,
  server: 8,
  network: 9,
  import_rejected: 10,
  import_stopped: 11,
  refused: 12,
  configuration: 13,
  interrupted: 130,
  terminated: 143,
} as const

export type ErrorCode = Exclude<keyof typeof exitCodes, 'ok'>

export interface ErrorDetails {
  /** The next step for the person, as one sentence. */
  hint?: string
  /** HTTP status of the response, if there was one. */
  status?: number
  requestId?: string
  /** Whether the unchanged command may succeed later. */
  retryable?: boolean
  /** Seconds. */
  retryAfter?: number
  cause?: unknown
}

/** Every expected failure. Any other thrown error is a bug and exits with 1. */
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
    return exitCodes[this.code]
  }
}

/** The command line or a local file is invalid; nothing was sent. Lists every problem, not only the first. */
export class UsageError extends FacescanError {
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[], details: ErrorDetails = {}) {
    const all = typeof problems === 'string' ? [problems] : problems
    super('usage', all.join('\n'), details)
    this.name = 'UsageError'
    this.problems = all
  }
}

/** The service responded with a 4xx or 5xx status (spec 7). */
export class ServiceError extends FacescanError {
  override readonly name = 'ServiceError'
}

/** No usable response: name resolution, connection, TLS, timeout, or a malformed response. */
export class NetworkError extends FacescanError {
  override readonly name = 'NetworkError'
  /** True only if the request provably never left this machine. Sending it again then cannot apply it twice. */
  readonly notSent: boolean

  constructor(message: string, notSent: boolean, details: ErrorDetails = {}) {
    super('network', message, { retryable: true, ...details })
    this.notSent = notSent
  }
}

/** A safety rule refused the command, or the person declined at the prompt. */
export class RefusedError extends FacescanError {
  override readonly name = 'RefusedError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('refused', message, details)
  }
}

/** Ends a command with an exit code and without a message, because the command has already printed its result. */
export class ResultExit extends FacescanError {
  override readonly name = 'ResultExit'

  constructor(code: ErrorCode) {
    super(code, 'the result was printed')
  }
}

/** A profile, a configuration file or a key store cannot be used. */
export class ConfigurationError extends FacescanError {
  override readonly name = 'ConfigurationError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('configuration', message, details)
  }
}

export function codeForStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'server' : 'rejected'
}
