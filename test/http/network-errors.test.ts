import { describe, expect, test } from 'vitest'
import { describeProblem, explainTransport, isCertificateProblem } from '../../src/http/network-errors.ts'
import { TunnelRefused } from '../../src/http/proxy.ts'

const url = new URL('https://api.test:8443/v2/users/4711')
const proxy = new URL('http://name:secret@proxy.test:3128')
const withCode = (code: string) => Object.assign(new Error('raw text'), { code })

test.each([
  ['ECONNREFUSED', 'connection refused', /service is running/, false],
  ['ENOTFOUND', 'could not resolve the hostname', /typos/, true],
  ['EAI_AGAIN', 'the DNS lookup failed', /network connection/, false],
  ['ECONNRESET', 'the connection was reset', /Try again/, false],
  ['EPIPE', 'the connection was closed while the request was being sent', /Try again/, false],
  ['EHOSTUNREACH', 'the host is unreachable', /VPN/, false],
  ['ENETUNREACH', 'the network is unreachable', /VPN/, false],
  ['ETIMEDOUT', 'the connection timed out', /VPN/, false],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out', /VPN/, false],
  ['ABORT_ERR', 'the connection timed out', /VPN/, false],
  ['UND_ERR_SOCKET', 'the connection was closed before the end of the response', /Try again/, false],
  [
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'the connection was closed before the end of the response',
    /Try again/,
    false,
  ],
  ['UND_ERR_HEADERS_OVERFLOW', 'the response headers are too large', /base URL/, true],
  ['FACESCAN_TOO_LARGE', 'the response is too large', /base URL/, true],
  ['ERR_BUFFER_TOO_LARGE', 'the response is too large', /base URL/, true],
  ['FACESCAN_UNKNOWN_ENCODING', 'raw text', /proxy compresses/, true],
  ['Z_DATA_ERROR', 'the compressed response is corrupt', /proxy may have changed/, false],
  ['Z_BUF_ERROR', 'the compressed response is corrupt', /proxy may have changed/, false],
  ['ERR__ERROR_FORMAT_PADDING_1', 'the compressed response is corrupt', /proxy may have changed/, false],
  ['CERT_HAS_EXPIRED', 'the certificate has expired', /system clock/, true],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet', /system clock/, true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for a different host', /intercepting/, true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed', /CA certificate/, true],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'the certificate was issued by an unknown authority',
    /CA certificate/,
    true,
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate was issued by an unknown authority', /CA certificate/, true],
  ['EPROTO', 'the server does not support TLS 1.2 or later', /address and port/, true],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not support TLS 1.2 or later', /address and port/, true],
  ['ERR_SSL_BAD_RECORD_TYPE', 'the TLS connection failed', /address and port/, false],
  ['HPE_INVALID_CONSTANT', 'the response is not valid HTTP', /base URL/, false],
  ['ERR_ASSERTION', 'the response is not valid HTTP', /base URL/, false],
])('the error code %s is explained as "%s"', (code, problem, hint, final) => {
  expect(explainTransport(withCode(code), url)).toEqual({
    message: `api.test:8443: ${problem}`,
    hint: expect.stringMatching(hint),
    final,
  })
})

test.each([
  ['FACESCAN_TIMEOUT', 'raw text', false],
  ['UND_ERR_DESTROYED', 'the request was canceled', true],
  ['UND_ERR_CLOSED', 'the request was canceled', true],
])('the error code %s is explained as "%s" and has no hint', (code, problem, final) => {
  const explained = { message: `api.test:8443: ${problem}`, hint: undefined, final }
  expect(explainTransport(withCode(code), url)).toEqual(explained)
})

test.each(['ECONNREFUSED2', 'XECONNREFUSED', 'HPE', 'XERR_SSL_'])(
  'if an error has an unknown code such as %s, the report contains the text of the error',
  (code) => {
    const raw = { message: 'api.test:8443: raw text', hint: undefined, final: false }
    expect(explainTransport(withCode(code), url)).toEqual(raw)
  },
)

test('an error is reported as a failed connection if it has no text and no code', () => {
  expect(describeProblem(new Error(''))).toBe('the connection failed')
  expect(describeProblem(undefined)).toBe('the connection failed')
  expect(describeProblem('text')).toBe('the connection failed')
})

test('if an error has no code, the code is read from its cause or from the first error in its list of errors', () => {
  const refused = withCode('ECONNREFUSED')
  expect(describeProblem(new Error('outer', { cause: refused }))).toBe('connection refused')
  expect(describeProblem(new AggregateError([refused, withCode('EPIPE')], 'all'))).toBe('connection refused')
})

test('if a parser error of the HTTP library has no code, the error is explained', () => {
  const error = Object.assign(new Error('Expected HTTP/'), { name: 'HTTPParserError' })
  expect(describeProblem(error)).toBe('the response is not valid HTTP')
})

describe('errors of a connection through a proxy', () => {
  test('the error for an unreachable proxy names the proxy without its password', () => {
    expect(explainTransport(withCode('ECONNREFUSED'), url, proxy)).toEqual({
      message: 'proxy proxy.test:3128: connection refused',
      hint: 'Check HTTPS_PROXY, or add the host to NO_PROXY.',
      final: false,
    })
  })

  test.each([
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'ABORT_ERR',
    'HPE_INVALID_CONSTANT',
  ])('the error code %s is reported as a problem of the proxy', (code) => {
    const { message, final } = explainTransport(withCode(code), url, proxy)
    expect(message).toBe(`proxy proxy.test:3128: ${describeProblem(withCode(code))}`)
    expect(final).toBe(code === 'ENOTFOUND')
  })

  test.each([withCode('ECONNREFUSED'), withCode('ECONNRESET'), new TunnelRefused(407)])(
    'the error %s does not show the host of a proxy if the host may be a key',
    (error) => {
      const { message } = explainTransport(error, url, new URL(`http://${'k'.repeat(41)}:3128`))
      expect(message).toContain('proxy (hidden: possible key or password)')
      expect(message).not.toContain('kkkk')
    },
  )

  test('the error for a connection that fails behind a proxy names the service and the proxy', () => {
    expect(explainTransport(withCode('ECONNRESET'), url, proxy)).toMatchObject({
      message: 'api.test:8443 (through proxy proxy.test:3128): the connection was reset',
      hint: expect.stringContaining('Try again'),
    })
  })

  test.each([
    [407, 'username and password required (407)', /NAME:PASSWORD/, true],
    [403, 'could not connect to the service (403)', /NO_PROXY/, true],
    [499, 'could not connect to the service (499)', /NO_PROXY/, true],
    [500, 'could not connect to the service (500)', /NO_PROXY/, false],
  ])('the error for a proxy that returns status %i explains the status', (status, problem, hint, final) => {
    expect(explainTransport(new TunnelRefused(status), url, proxy)).toEqual({
      message: `proxy proxy.test:3128: ${problem}`,
      hint: expect.stringMatching(hint),
      final,
    })
  })
})

test.each([
  ['CERT_HAS_EXPIRED', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ECONNRESET', false],
])('the error code %s is treated as a certificate error: %s', (code, expected) => {
  expect(isCertificateProblem(withCode(code))).toBe(expected)
})
