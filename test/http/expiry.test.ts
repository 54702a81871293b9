import { expect, test } from 'vitest'
import { expiryOf } from '../../src/http/expiry.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenWith = (claims: unknown) => `${encode({ alg: 'HS256' })}.${encode(claims)}.c2ln`
const at = '2026-01-02T03:04:05.000Z'
const exp = Date.parse(at) / 1000

// spec 2.2:3
test.each([
  ['a token', tokenWith({ exp })],
  [
    'a link with a token in any parameter',
    `https://dashboard.test/?language=en&action_token=${tokenWith({ exp })}`,
  ],
  ['a link with a token under another name', `https://scan.test/start?t=${tokenWith({ exp })}`],
])('the expiry time is read from %s', (_, text) => {
  expect(expiryOf(text)).toBe(at)
})

// spec 2.2:3
test.each([
  ['a token without an expiry', tokenWith({ sub: 'x' })],
  ['a token with an expiry that is text', tokenWith({ exp: String(exp) })],
  ['a token with an expiry that is too large for a date', tokenWith({ exp: 1e300 })],
  ['a token whose claims are not an object', tokenWith('exp')],
  ['a token without claims', tokenWith(null)],
  ['a token whose claims are not JSON', 'a.!!!.c'],
  ['a single word', 'opaque'],
  ['a link without a token', 'https://dashboard.test/?language=en.us'],
  ['nothing', ''],
])('no expiry time is found in %s', (_, text) => {
  expect(expiryOf(text)).toBeUndefined()
})

holds('the expiry time in any text is a valid date or undefined', () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.jsonValue().map(tokenWith),
    fc.double().map((value) => tokenWith({ exp: value })),
  )
  return fc.property(text, (token) => {
    const expiry = expiryOf(token)
    expect(expiry === undefined || !Number.isNaN(Date.parse(expiry))).toBe(true)
  })
})
