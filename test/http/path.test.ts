import { expect, test } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { encodeQuery, fillPath, locate } from '../../src/http/request.ts'
import { urlOf } from '../../src/http/wire.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

test.each([
  ['a slash', 'a/b', 'a%2Fb'],
  ['an encoded slash', 'a%2Fb', 'a%252Fb'],
  ['a question mark and a hash', 'a?b#c', 'a%3Fb%23c'],
  ['encoded dots', '%2e%2e', '%252e%252e'],
  ['three dots', '...', '...'],
  ['a line feed', 'a\nb', 'a%0Ab'],
  ['letters of any script', 'größe', 'gr%C3%B6%C3%9Fe'],
])('the client encodes %s as one path segment', (_, value, encoded) => {
  expect(fillPath('/v2/users/{user_id}', { user_id: value })).toBe(`/v2/users/${encoded}`)
})

test.each(['', '.', '..', 'a\ud800'])('the client refuses "%s" as a path segment', (value) => {
  expect(() => fillPath('/v2/users/{user_id}', { user_id: value })).toThrow(UsageError)
})

test('the error for a missing path parameter contains the name of the parameter', () => {
  expect(() => fillPath('/v2/users/{user_id}')).toThrow('user_id is missing from the path')
})

test('a query keeps the order of its values, repeats the name of a list for each item, and omits undefined values', () => {
  expect(encodeQuery({ b: 1, a: ['x', 'y z'], none: undefined, nothing: null, flag: false })).toBe(
    '?b=1&a=x&a=y+z&flag=false',
  )
  expect(encodeQuery({})).toBe('')
})

test.each([
  ['https://api.test', 'https://api.test/v2/users'],
  ['https://api.test/', 'https://api.test/v2/users'],
  ['https://api.test:8443/health/api//', 'https://api.test:8443/health/api/v2/users'],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/v2/users'],
])('the client adds the path of a request to the path of the base URL %s', (base, url) => {
  expect(urlOf(locate(new URL(base), '/v2/users')).href).toBe(url)
})

/** The URL of a request. Checks that URL parsing keeps its path and query. */
function parse(target: ReturnType<typeof locate>): URL {
  const url = urlOf(target)
  expect({ origin: url.origin, path: url.pathname + url.search }).toEqual(target)
  return url
}

holds('a value in a path is either refused or sent as one path segment, which decodes to the value', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('.', '..', '../..', '%2e', '\\'),
  )
  return fc.property(value, value, (first, second) => {
    let path: string
    try {
      path = fillPath('/v2/{first}/x/{second}', { first, second })
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
      return
    }
    const url = parse(locate(new URL('https://api.test/base'), path))
    expect([url.origin, url.search, url.hash]).toEqual(['https://api.test', '', ''])
    const segments = url.pathname.split('/')
    expect(segments).toHaveLength(6)
    expect([segments[3], segments[5]].map((text) => decodeURIComponent(text ?? ''))).toEqual([first, second])
  })
})

holds('decoding a query returns the names and values from which the query was built', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed())
  return fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
    const query = Object.fromEntries(pairs)
    const url = parse(locate(new URL('https://api.test'), `/v2/users${encodeQuery(query)}`))
    expect(Object.fromEntries(url.searchParams)).toEqual(query)
    expect([url.pathname, url.hash]).toEqual(['/v2/users', ''])
  })
})
