/** Exit codes with their meanings, by the `code` of an error in JSON. The program has no other table of exit codes. */
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
  list_failed: [10, 'list finished; some users failed'],
  list_stopped: [11, 'list stopped before it finished; it can be resumed'],
  import_rejected: [10, 'import finished; some rows were rejected'],
  import_stopped: [11, 'import stopped before it finished; it can be resumed'],
  refused: [12, 'refused by a safety rule, or declined at the prompt'],
  configuration: [13, 'profile, configuration, or key store error'],
  interrupted: [130, 'interrupted with Ctrl-C'],
  terminated: [143, 'terminated with SIGTERM or SIGHUP'],
} as const

export type ErrorCode = Exclude<keyof typeof exitCodes, 'ok'>
