import { TunnelRefused } from './tunnel.ts'

interface Explanation {
  /** Default: the message of the error. */
  what?: string
  hint?: string
  /** Set if a retry cannot help. */
  final?: true
}

const timedOut: Explanation = {
  what: 'the connection timed out',
  hint: 'Check your network connection, VPN or proxy.',
}
const unknownAuthority: Explanation = {
  what: 'its certificate was issued by an unknown authority',
  hint: 'Behind a company proxy, add its certificate authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  final: true,
}
const interrupted: Explanation = {
  what: 'the connection was closed before the end of the response',
  hint: 'Try again.',
}
const notTls: Explanation = {
  what: 'it does not support TLS, or only an insecure version',
  hint: 'Check the address and port of the base URL.',
  final: true,
}
const tooLarge: Explanation = {
  what: 'the response is too large',
  hint: 'Check the base URL.',
  final: true,
}
const corrupt: Explanation = {
  what: 'the compressed response is corrupt',
  hint: 'Try again. A proxy may have changed the response.',
}

/** Explanations of the error codes of Node, zlib and undici. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    what: 'connection refused',
    hint: 'Check that the service is running, and check the address and port.',
  },
  ENOTFOUND: {
    what: 'the host name is unknown',
    hint: 'Check the spelling of the base URL, your DNS and your network connection.',
    final: true,
  },
  EAI_AGAIN: {
    what: 'the host name could not be looked up',
    hint: 'Check your network connection, then try again.',
  },
  ECONNRESET: {
    what: 'the connection was reset',
    hint: 'Try again. A proxy or firewall may have closed the connection.',
  },
  EPIPE: { what: 'the connection was closed while the request was sent', hint: 'Try again.' },
  EHOSTUNREACH: { what: 'the host is unreachable', hint: 'Check your network connection or VPN.' },
  ENETUNREACH: { what: 'the network is unreachable', hint: 'Check your network connection or VPN.' },
  FACESCAN_TIMEOUT: {
    hint: 'Increase --timeout, or check the service: facescan doctor --network',
  },
  ETIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  ABORT_ERR: timedOut,
  UND_ERR_SOCKET: interrupted,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: interrupted,
  UND_ERR_HEADERS_OVERFLOW: {
    what: 'the response headers are too large',
    hint: 'Check the base URL.',
    final: true,
  },
  FACESCAN_TOO_LARGE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
  FACESCAN_UNKNOWN_ENCODING: {
    what: 'unsupported compression of the response',
    hint: 'A proxy may have compressed the response.',
    final: true,
  },
  Z_DATA_ERROR: corrupt,
  Z_BUF_ERROR: corrupt,
  ERR__ERROR_FORMAT_PADDING_1: corrupt,
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    hint: 'Check the clock of this machine, or inform the operator of the service.',
    final: true,
  },
  CERT_NOT_YET_VALID: {
    what: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine.',
    final: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another host',
    hint: 'Check the base URL. The connection may be intercepted.',
    final: true,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...unknownAuthority, what: 'its certificate is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: notTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: notTls,
  EPROTO: notTls,
}

/** HTTPParserError comes from undici, HPE codes from Node (for a proxy). Some invalid responses fail an assertion in undici. */
const families: readonly [RegExp, Explanation][] = [
  [
    /^(HTTPParserError|HPE_.*|ERR_ASSERTION)$/,
    { what: 'the response is not valid HTTP', hint: 'Check the base URL.' },
  ],
  [/^ERR__/, corrupt],
  [/^ERR_SSL_/, { what: 'the TLS connection failed', hint: 'Check the address and port of the base URL.' }],
]

/** Errors that come from the proxy, not from the service, if there is a proxy. */
const proxyErrors =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ABORT_ERR|HPE_.*)$/

export interface Explained {
  message: string
  hint: string | undefined
  final: boolean
}

/**
 * Says in one sentence what failed, and in one what to do. Names only the host of a URL, because a path can contain a user ID and
 * the URL of a proxy can contain a password.
 */
export function explainTransport(error: Error | undefined, url: URL, proxy?: URL): Explained {
  if (proxy && error instanceof TunnelRefused) {
    const { what, hint, final } = explainRefusal(error.status)
    return { message: `proxy ${proxy.host}: ${what}`, hint, final: !!final }
  }
  const code = codeOf(error)
  const { what, hint, final } = explain(code, error)
  if (proxy && proxyErrors.test(code)) {
    return { message: `proxy ${proxy.host}: ${what}`, hint: checkProxy, final: !!final }
  }
  const where = proxy ? `${url.host} (through the proxy ${proxy.host})` : url.host
  return { message: `${where}: ${what}`, hint, final: !!final }
}

const checkProxy = 'Check HTTPS_PROXY, or add the host to NO_PROXY.'

function explain(code: string, error: Error | undefined): Explanation & { what: string } {
  const known = explanations[code] ?? families.find(([pattern]) => pattern.test(code))?.[1]
  return { what: error?.message || 'the connection failed', ...known }
}

function explainRefusal(status: number): Explanation {
  if (status === 407) {
    return {
      what: 'user name and password required (407)',
      hint: 'Add them to the variable: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT',
      final: true,
    }
  }
  const refusal = { what: `could not connect to the service (${status})`, hint: checkProxy }
  return status < 500 ? { ...refusal, final: true } : refusal
}

/** Returns whether a description of the certificate helps to understand the error. */
export function isCertificateProblem(error: unknown): boolean {
  return /CERT|VERIFY_LEAF/.test(codeOf(error))
}

/** A parser error of undici can have no code. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (error instanceof Error && error.name === 'HTTPParserError') return error.name
  if (error instanceof Error) return 'code' in error ? String(error.code) : codeOf(error.cause)
  return ''
}
