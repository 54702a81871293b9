import { expect, test } from 'vitest'
import { ConfigurationError, UsageError } from '../../src/base/errors.ts'
import { baseUrlFlag, isLoopback, parseBaseUrl } from '../../src/http/base-url.ts'
import { findProxy } from '../../src/http/proxy.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

test.each([
  ['https://api.test', 'https://api.test'],
  ['https://api.test/', 'https://api.test'],
  ['https://API.test:443//', 'https://api.test'],
  ['https://api.test:8443/health/v1/', 'https://api.test:8443/health/v1'],
  ['https://api.test/a/../b', 'https://api.test/b'],
  ['https://bücher.test', 'https://xn--bcher-kva.test'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.0.0.5', 'http://127.0.0.5'],
  ['http://127.10.20.130', 'http://127.10.20.130'],
  [' https://api.test\n', 'https://api.test'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
])('the client normalizes the base URL %s to %s', (text, url) => {
  expect(parseBaseUrl(text, 'the test')).toBe(url)
})

// spec 1:2
test('the path of a base URL can contain a hash value', () => {
  const text = 'https://api.test/da39a3ee5e6b4b0d3255bfef95601890afd80709'
  expect(parseBaseUrl(text, 'the test')).toBe(text)
})

test.each([
  ['api.test', 'is not a valid URL'],
  ['', 'is not a valid URL'],
  ['ftp://api.test', 'is not an HTTPS URL'],
  ['file:///etc', 'is not an HTTPS URL'],
  ['http://api.test', 'uses plain HTTP instead of HTTPS'],
  ['http://127.0.0.1.evil.test', 'uses plain HTTP instead of HTTPS'],
  ['http://localhost.evil.test', 'uses plain HTTP instead of HTTPS'],
  ['https://me@api.test', 'contains a username or password'],
  ['https://:secret@api.test', 'contains a username or password'],
  ['https://api.test?x=1', 'contains a query or fragment'],
  ['https://api.test#x', 'contains a query or fragment'],
  ['https://api.test/v2/sentinel!key.of_ada-with_40@characters01', 'contains an API key or token'],
  ['https://api.test\\@other.test', 'is not a valid URL'],
  ['https://api.\ttest', 'is not a valid URL'],
])('the client refuses the invalid base URL %s and states the reason', (text, reason) => {
  const parse = () => parseBaseUrl(text, 'the test')
  expect(parse).toThrow(ConfigurationError)
  expect(parse).toThrow(`the base URL from the test ${reason}`)
})

test('a base URL in a flag is normalized, and the error for an invalid URL hides its password', () => {
  expect(baseUrlFlag('https://api.test/v1/')).toBe('https://api.test/v1')
  const parse = () => baseUrlFlag('https://me:secret@api.test')
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(
    /^the base URL contains a username or password \(example: https:\/\/api\.example\.com\)$/,
  )
})

const url = fc.oneof(
  fc.string(),
  fc.webUrl({ validSchemes: ['http', 'https', 'ftp'], withQueryParameters: true, withFragments: true }),
  fc
    .tuple(fc.constantFrom('http://', 'https://', 'HTTPS:', '//'), fc.string())
    .map((parts) => parts.join('')),
)

holds(
  'random text is refused as a base URL, or normalized to an HTTPS or loopback URL without query',
  fc.property(url, (text) => {
    let base: string
    try {
      base = parseBaseUrl(text, 'the test')
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      return
    }
    expect(parseBaseUrl(base, 'the test')).toBe(base)
    expect(base.startsWith('https://') || isLoopback(base)).toBe(true)
    expect(base).not.toMatch(/[?#]|\/$/)
  }),
)

holds(
  'random values of HTTPS_PROXY and NO_PROXY select a proxy or no proxy, or cause a configuration error',
  fc.property(url, fc.string(), (proxy, noProxy) => {
    try {
      const found = findProxy(new URL('https://api.test'), { HTTPS_PROXY: proxy, NO_PROXY: noProxy })
      expect(found === undefined || found.hostname !== '').toBe(true)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
    }
  }),
)
