import { shownHost, TunnelRefused } from './proxy.ts'

/** A code that ends with `*` is a prefix. `final` means that a retry would also fail. */
type Explanation = readonly [
  codes: readonly string[],
  what: string | undefined,
  hint: string | undefined,
  isFinal?: 'final',
]

const hints = {
  address: 'Check the address and port of the base URL.',
  authority:
    'If your network uses a TLS proxy, trust its CA certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  baseUrl: 'Check the base URL.',
  changed: 'Try again. A proxy may have changed the response.',
  clock: 'Check the system clock.',
  clockOrOperator: 'Check the system clock, or contact the service operator.',
  closed: 'Try again. A proxy or firewall may have closed the connection.',
  compressed: 'Check whether a proxy compresses the response.',
  dns: 'Check your network connection, then try again.',
  intercepted: 'Check the base URL. Another host may be intercepting the connection.',
  name: 'Check the base URL for typos, and check your DNS settings.',
  network: 'Check your network connection, VPN, or proxy.',
  service: 'Check that the service is running, and check the address and port.',
  tryAgain: 'Try again.',
}

const unknownAuthority = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]
const oldTls = [
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
]

/** The first row with the code applies. For an invalid response, undici reports HTTPParserError, and Node an HPE code (proxy). */
const explanations: readonly Explanation[] = [
  [['ECONNREFUSED'], 'connection refused', hints.service],
  [['ENOTFOUND'], 'could not resolve the hostname', hints.name, 'final'],
  [['EAI_AGAIN'], 'the DNS lookup failed', hints.dns],
  [['ECONNRESET'], 'the connection was reset', hints.closed],
  [['EPIPE'], 'the connection was closed while the request was being sent', hints.tryAgain],
  [['EHOSTUNREACH'], 'the host is unreachable', hints.network],
  [['ENETUNREACH'], 'the network is unreachable', hints.network],
  [['FACESCAN_TIMEOUT'], undefined, undefined],
  [['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ABORT_ERR'], 'the connection timed out', hints.network],
  [
    ['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    'the connection was closed before the end of the response',
    hints.tryAgain,
  ],
  // The command has ended, so a retry is useless.
  [['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'], 'the request was canceled', undefined, 'final'],
  [['UND_ERR_HEADERS_OVERFLOW'], 'the response headers are too large', hints.baseUrl, 'final'],
  [['FACESCAN_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE'], 'the response is too large', hints.baseUrl, 'final'],
  [['FACESCAN_UNKNOWN_ENCODING'], undefined, hints.compressed, 'final'],
  [['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR__*'], 'the compressed response is corrupt', hints.changed],
  [['CERT_HAS_EXPIRED'], 'the certificate has expired', hints.clockOrOperator, 'final'],
  [['CERT_NOT_YET_VALID'], 'the certificate is not valid yet', hints.clock, 'final'],
  [['ERR_TLS_CERT_ALTNAME_INVALID'], 'the certificate is for a different host', hints.intercepted, 'final'],
  [['DEPTH_ZERO_SELF_SIGNED_CERT'], 'the certificate is self-signed', hints.authority, 'final'],
  [unknownAuthority, 'the certificate was issued by an unknown authority', hints.authority, 'final'],
  [oldTls, 'the server does not support TLS 1.2 or later', hints.address, 'final'],
  [['ERR_SSL_*'], 'the TLS connection failed', hints.address],
  // For some invalid responses, undici reports a failed assertion.
  [['HTTPParserError', 'HPE_*', 'ERR_ASSERTION'], 'the response is not valid HTTP', hints.baseUrl],
]

/** If a proxy is used, it causes the errors with these codes. Otherwise, the service causes these errors. */
const proxyErrors = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ABORT_ERR',
  'HPE_*',
]

interface Explained {
  message: string
  hint: string | undefined
  final: boolean
}

/**
 * Explains a connection error and adds a hint. Shows only the host of a URL. A path can contain a user ID, and the URL of a proxy can
 * contain a password.
 */
export function explainTransport(error: Error | undefined, url: URL, proxy?: URL): Explained {
  if (proxy && error instanceof TunnelRefused) return explainRefusal(error.status, proxy)
  const [, , hint, isFinal] = findRow(error) ?? []
  const problem = describeProblem(error)
  const final = isFinal !== undefined
  if (proxy && matches(proxyErrors, codeOf(error)))
    return { message: `proxy ${shownHost(proxy.host)}: ${problem}`, hint: checkProxy, final }
  const place = proxy ? `${url.host} (through proxy ${shownHost(proxy.host)})` : url.host
  return { message: `${place}: ${problem}`, hint, final }
}

/** The problem as text, such as `the connection was reset`. */
export function describeProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return findRow(error)?.[1] ?? (message || 'the connection failed')
}

function findRow(error: unknown): Explanation | undefined {
  const code = codeOf(error)
  return explanations.find(([codes]) => matches(codes, code))
}

function matches(codes: readonly string[], code: string): boolean {
  return codes.some((one) => (one.endsWith('*') ? code.startsWith(one.slice(0, -1)) : code === one))
}

const checkProxy = 'Check HTTPS_PROXY, or add the host to NO_PROXY.'

function explainRefusal(status: number, proxy: URL): Explained {
  const host = shownHost(proxy.host)
  if (status !== 407) {
    const message = `proxy ${host}: could not connect to the service (${status})`
    return { message, hint: checkProxy, final: status < 500 }
  }
  return {
    message: `proxy ${host}: username and password required (407)`,
    hint: 'Add the name and password to the proxy URL: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT',
    final: true,
  }
}

export function isCertificateProblem(error: unknown): boolean {
  return /CERT|VERIFY_LEAF/.test(codeOf(error))
}

/** The code of an error. A parser error of undici can have no code. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (error instanceof Error && error.name === 'HTTPParserError') return error.name
  if (error instanceof Error) return 'code' in error ? String(error.code) : codeOf(error.cause)
  return ''
}
