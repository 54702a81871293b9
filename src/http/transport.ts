import { TunnelRefused } from './tunnel.ts'

interface Explanation {
  /** The error's own message where it is left out. */
  what?: string
  hint?: string
  /** Set where trying again the same way cannot help. */
  final?: true
}

const timedOut: Explanation = {
  what: 'the connection timed out',
  hint: 'Check your network connection, VPN or proxy.',
}
const unknownAuthority: Explanation = {
  what: 'its certificate comes from an authority this machine does not know',
  hint: 'Behind a company proxy, add its authority with NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  final: true,
}
const brokenOff: Explanation = {
  what: 'the connection was closed before the whole reply',
  hint: 'Try again.',
}
const notTls: Explanation = {
  what: 'it does not speak TLS, or not a version that can be trusted',
  hint: 'Check address and port of the base URL.',
  final: true,
}
const tooLarge: Explanation = {
  what: 'the reply is larger than any this program reads',
  hint: 'Is the base URL the service itself?',
  final: true,
}
const garbled: Explanation = {
  what: 'the reply is compressed, and the compressed data is broken',
  hint: 'Try again; a proxy in between may have damaged it.',
}

/** What a failed connection means to a person. Codes are Node's, zlib's and undici's. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    what: 'nothing answers there',
    hint: 'Is the service running, and are address and port right?',
  },
  ENOTFOUND: {
    what: 'the host name is unknown',
    hint: 'Check the base URL for a typing mistake, or your DNS and network.',
    final: true,
  },
  EAI_AGAIN: {
    what: 'the host name cannot be looked up right now',
    hint: 'Check your network connection, then try again.',
  },
  ECONNRESET: {
    what: 'the connection was reset',
    hint: 'Try again; a proxy or firewall may have closed it.',
  },
  EPIPE: { what: 'the connection was closed while sending', hint: 'Try again.' },
  EHOSTUNREACH: { what: 'the host cannot be reached', hint: 'Check your network connection or VPN.' },
  ENETUNREACH: { what: 'the network cannot be reached', hint: 'Check your network connection or VPN.' },
  FACESCAN_TIMEOUT: {
    hint: 'Allow more time with --timeout, or look at the service: facescan doctor --network',
  },
  ETIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  ABORT_ERR: timedOut,
  UND_ERR_SOCKET: brokenOff,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: brokenOff,
  UND_ERR_HEADERS_OVERFLOW: {
    what: 'the headers of the reply are larger than any this program reads',
    hint: 'Is the base URL the service itself?',
    final: true,
  },
  FACESCAN_TOO_LARGE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
  FACESCAN_UNKNOWN_ENCODING: {
    what: 'the reply is compressed in a way this program cannot read',
    hint: 'Is there a proxy in between that compresses replies?',
    final: true,
  },
  Z_DATA_ERROR: garbled,
  Z_BUF_ERROR: garbled,
  ERR__ERROR_FORMAT_PADDING_1: garbled,
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    hint: 'Tell the operator, or check this machine’s clock.',
    final: true,
  },
  CERT_NOT_YET_VALID: {
    what: 'its certificate is not valid yet',
    hint: 'Check this machine’s clock.',
    final: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another host',
    hint: 'Check the base URL; somebody may be in between.',
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

/** HTTPParserError is undici's, HPE Node's for a proxy; undici asserts what it takes for granted of a reply. */
const families: readonly [RegExp, Explanation][] = [
  [
    /^(HTTPParserError|HPE_.*|ERR_ASSERTION)$/,
    { what: 'it answered with something that is not HTTP', hint: 'Is the base URL the service itself?' },
  ],
  [/^ERR__/, garbled],
  [
    /^ERR_SSL_/,
    { what: 'a secure connection could not be made', hint: 'Check address and port of the base URL.' },
  ],
]

/** Failures in which the machine at the other end of the wire is the proxy and not the service. */
const proxysOwn =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ABORT_ERR|HPE_.*)$/

export interface Explained {
  message: string
  hint: string | undefined
  final: boolean
}

/**
 * One sentence on what went wrong and one on what to do. Of a URL only the host is named: a path may hold a user's id, and a
 * proxy's URL a password.
 */
export function explainTransport(error: Error | undefined, url: URL, proxy?: URL): Explained {
  if (proxy && error instanceof TunnelRefused) {
    const { what, hint, final } = explainRefusal(error.status)
    return { message: `proxy ${proxy.host}: ${what}`, hint, final: !!final }
  }
  const code = codeOf(error)
  const { what, hint, final } = explain(code, error)
  if (proxy && proxysOwn.test(code)) {
    return { message: `proxy ${proxy.host}: ${what}`, hint: checkProxy, final: !!final }
  }
  const where = proxy ? `${url.host} (through the proxy ${proxy.host})` : url.host
  return { message: `${where}: ${what}`, hint, final: !!final }
}

const checkProxy = 'Check HTTPS_PROXY, or name hosts that need no proxy in NO_PROXY.'

function explain(code: string, error: Error | undefined): Explanation & { what: string } {
  const known = explanations[code] ?? families.find(([pattern]) => pattern.test(code))?.[1]
  return { what: error?.message || 'the connection failed', ...known }
}

function explainRefusal(status: number): Explanation {
  if (status === 407) {
    return {
      what: 'it asks for a user name and a password (407)',
      hint: 'Give them in the variable: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT',
      final: true,
    }
  }
  const refusal = { what: `it did not open a connection to the service (${status})`, hint: checkProxy }
  return status < 500 ? { ...refusal, final: true } : refusal
}

/** A certificate problem, which the issuer of the certificate helps to understand. */
export function isCertificateProblem(error: unknown): boolean {
  return /CERT|VERIFY_LEAF/.test(codeOf(error))
}

/** undici leaves the code of a parser error out where the parser gave none. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (error instanceof Error && error.name === 'HTTPParserError') return error.name
  if (error instanceof Error) return 'code' in error ? String(error.code) : codeOf(error.cause)
  return ''
}
