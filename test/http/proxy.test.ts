import { expect, test } from 'vitest'
import { findProxy } from '../../src/http/proxy.ts'

const proxy = 'http://proxy.test:3128'
const hostOf = (url: string, env: Record<string, string>) => findProxy(new URL(url), env)?.host

test.each([
  ['HTTPS_PROXY', { HTTPS_PROXY: proxy }, 'proxy.test:3128'],
  [
    'https_proxy before HTTPS_PROXY',
    { HTTPS_PROXY: 'http://other.test', https_proxy: proxy },
    'proxy.test:3128',
  ],
  ['HTTPS_PROXY if https_proxy is empty', { HTTPS_PROXY: proxy, https_proxy: '' }, 'proxy.test:3128'],
  ['no variable if only HTTP_PROXY is set', { HTTP_PROXY: proxy }, undefined],
  ['an HTTPS URL', { HTTPS_PROXY: 'https://proxy.test:3128' }, 'proxy.test:3128'],
  ['a value without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, 'proxy.test:3128'],
])('the client uses the proxy from %s', (_, env, host) => {
  expect(hostOf('https://api.service.test', env)).toBe(host)
})

test.each([
  ['*', 'no proxy'],
  ['service.test', 'no proxy'],
  ['.service.test', 'no proxy'],
  ['*.service.test', 'no proxy'],
  ['other.test, API.Service.Test', 'no proxy'],
  ['other.test api.service.test', 'no proxy'],
  ['api.service.test:443', 'no proxy'],
  ['api.service.test:8443', 'the proxy'],
  ['vice.test', 'the proxy'],
  ['api', 'the proxy'],
  ['', 'the proxy'],
  [',', 'the proxy'],
  [',,service.test', 'no proxy'],
  ['other.test,  ', 'the proxy'],
  ['[api.service.test', 'the proxy'],
  ['xservice.test', 'the proxy'],
  ['api.service.test:x', 'the proxy'],
  ['service.test:443x', 'the proxy'],
])('if NO_PROXY is "%s", a request to api.service.test uses %s', (noProxy, used) => {
  const found = ['NO_PROXY', 'no_proxy'].map((name) =>
    hostOf('https://api.service.test', { HTTPS_PROXY: proxy, [name]: noProxy }),
  )
  expect(found).toEqual(used === 'no proxy' ? [undefined, undefined] : ['proxy.test:3128', 'proxy.test:3128'])
})

test.each(['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:8443'])(
  'NO_PROXY=%s excludes an IPv6 address from the proxy',
  (noProxy) => {
    expect(hostOf('https://[2001:db8::1]:8443', { HTTPS_PROXY: proxy, NO_PROXY: noProxy })).toBeUndefined()
  },
)

test('for an http:// base URL, the proxy is read from HTTP_PROXY, and an entry with port 80 in NO_PROXY applies', () => {
  const env = { HTTP_PROXY: proxy, HTTPS_PROXY: 'http://other.test' }
  expect(hostOf('http://api.service.test', env)).toBe('proxy.test:3128')
  expect(hostOf('http://api.service.test', { ...env, NO_PROXY: 'service.test:80' })).toBeUndefined()
  expect(hostOf('http://api.service.test', { ...env, NO_PROXY: 'service.test:443' })).toBe('proxy.test:3128')
})

test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
  'a request to %s uses no proxy',
  (url) => {
    expect(hostOf(url, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })).toBeUndefined()
  },
)

test.each([
  'http://',
  'ftp://proxy.test',
  'not a url',
  'http://me:se%cret@proxy.test',
  'http://me:se cret@pro xy',
])('the client refuses the proxy "%s" without printing its value', (text) => {
  const find = () => findProxy(new URL('https://api.service.test'), { HTTPS_PROXY: text })
  expect(find).toThrow(expect.objectContaining({ code: 'configuration' }))
  expect(find).toThrow(/HTTPS_PROXY is not a valid HTTP or HTTPS proxy URL/)
  expect(find).not.toThrow(/cret|ftp:/)
})
