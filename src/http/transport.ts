const unknownAuthority: [string, string] = [
  'its certificate comes from an authority this machine does not know',
  'Behind a company proxy, add its authority with NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
]
const timedOut: [string, string] = [
  'the connection timed out',
  'Check your network connection, VPN or proxy.',
]

/** What a failed connection means to a person. Codes are Node's and undici's. */
const explanations: Readonly<Record<string, [what: string, hint: string]>> = {
  ECONNREFUSED: ['nothing answers there', 'Is the service running, and are address and port right?'],
  ENOTFOUND: [
    'the host name is unknown',
    'Check the base URL for a typing mistake, or your DNS and network.',
  ],
  EAI_AGAIN: [
    'the host name cannot be looked up right now',
    'Check your network connection, then try again.',
  ],
  ECONNRESET: ['the connection was reset', 'Try again; a proxy or firewall may have closed it.'],
  EPIPE: ['the connection was closed while sending', 'Try again.'],
  EHOSTUNREACH: ['the host cannot be reached', 'Check your network connection or VPN.'],
  ENETUNREACH: ['the network cannot be reached', 'Check your network connection or VPN.'],
  ETIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  UND_ERR_SOCKET: ['the connection was closed before the reply', 'Try again.'],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Tell the operator, or check this machine’s clock.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check this machine’s clock.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another host',
    'Check the base URL; somebody may be in between.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', unknownAuthority[1]],
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
}

/** One sentence on what went wrong and one on what to do. The URL contributes its host only: a path may name a user. */
export function explainTransport(error: Error | undefined, url: URL): { message: string; hint?: string } {
  const known = explanations[codeOf(error)]
  const what = known?.[0] ?? error?.message ?? 'the connection failed'
  return { message: `${url.host}: ${what}`, hint: known?.[1] }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (error instanceof Error) return 'code' in error ? String(error.code) : codeOf(error.cause)
  return ''
}
