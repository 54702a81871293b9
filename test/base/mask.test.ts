import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hideKeys, hideKeysIn, maskExactly, maskText } from '../../src/base/mask.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const secret = 'sentinel!key.of_ada-with_40@characters01'

test.each(
  [0, 1, 2, 3, 4].flatMap((length) =>
    (['base64', 'base64url', 'hex'] as const).map((encoding) => [encoding, length] as const),
  ),
)('a secret in %s that starts at byte %i of the encoded text is masked', (encoding, length) => {
  const encoded = Buffer.from(`${'x'.repeat(length)}${secret}:`).toString(encoding)
  const [, before = ''] = /^bad header: Basic (\w*)\*\*\*\.$/.exec(
    maskText(`bad header: Basic ${encoded}.`, [secret]),
  ) ?? ['', 'none']
  // The text before the mask must come only from the bytes before the secret, so that it shows no part of the secret.
  expect(Buffer.from('x'.repeat(length)).toString(encoding)).toContain(before)
})

const encode = (from: string) => (encoding: 'base64' | 'hex') => Buffer.from(from).toString(encoding)
const percent = secret.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`)

test.each([
  ['percent-encoded', percent],
  ['percent-encoded twice', encodeURIComponent(percent)],
  ['with a line break', `${secret.slice(0, 20)}\r\n${secret.slice(20)}`],
  ['with a zero-width space', `${secret.slice(0, 20)}\u200b${secret.slice(20)}`],
  ['in groups of four characters', secret.replace(/.{4}/g, '$& ').trim()],
  ['with color codes', secret.replace(/.{4}(?=.)/g, '$&\u001b[1;31m\u009b0m\u001b[K\u001b[38:5:1m')],
  ['with combining marks', secret.replace(/.{4}(?=.)/g, '$&\u0301')],
  ['in base64', encode(secret)('base64')],
  ['in base64 with a line break', encode(secret)('base64').replace(/.{30}/, '$&\n')],
  ['in hex', encode(secret)('hex')],
  ['in hex with colons', encode(secret)('hex').replace(/..(?=.)/g, '$&:')],
  ['in hex with spaces', encode(secret)('hex').replace(/..(?=.)/g, '$& ')],
])('a secret %s is masked in an error, in data, and in a name', (_, text) => {
  expect(maskText(`/path/${text}`, [secret])).toMatch(/^(\/path\/)?\*\*\*$/)
  expect(maskExactly({ [text]: [text] }, [secret])).toEqual({ '***': ['***'] })
})

test('a long text that consists of short parts of a secret is not masked', () => {
  const run = `${encode(secret)('base64').slice(0, -8)}`.repeat(20_000)
  const colors = `${secret.slice(0, 2)}${'\u001b[31m'.repeat(200_000)}`
  for (const text of [run, `${secret.slice(0, 15)} `.repeat(20_000), '%25'.repeat(300_000), colors])
    expect(maskText(text, [secret])).toBe(text)
})

test('a secret in upper-case hex and a short secret in base64 are masked', () => {
  expect(maskText(Buffer.from(secret).toString('hex').toUpperCase(), [secret])).toBe('***')
  expect(maskText(Buffer.from('k3y!-._@x').toString('base64'), ['k3y!-._@x'])).toBe('***')
})

test('a secret in hex is masked if a shortened secret follows', () => {
  // The last hex digit is the first character of the secret.
  const key = 'b123456789-sentinel!key.of_ada@character'.slice(0, 39).concat('k')
  expect(maskText(`${encode(key)('hex')} ${key.slice(1)}`, [key])).toMatch(/^[* ]+$/)
})

test('a long text that does not contain the secret is not masked', () => {
  const text = `request 5151d12e-2f9a-4d7a-962f-fd85d23bd68b: ${'aGVsbG8gd29ybGQh'.repeat(8)}`
  expect(maskText(text, [secret])).toBe(text)
})

test('an error shows the name of an existing file, even if the name is as long as a key', () => {
  const folder = temporaryFolder()
  const name = 'results-of-december-2026-campaign-A1.csv'
  const path = join(folder, name)
  expect(name).toHaveLength(40)
  expect(hideKeys(['--out', path])(name)).toBe('(hidden: possible key or token)')
  writeFileSync(path, '')
  expect(hideKeys(['--out', path])(name)).toBe(name)
})

test('a word that has the form of a key is hidden, even if the word looks like an email address', () => {
  const key = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ01234@abcde.eF'
  expect(hideKeys(['users', 'get', key])(`user ${key}`)).toBe('user (hidden: possible key or token)')
})

test('a text that contains a million dots but no key is returned unchanged', () => {
  const text = `a${'.'.repeat(1_000_000)}b`
  expect(hideKeysIn(text)).toBe(text)
})

const key = 'Zq7fK2mPx9Lw4TbV8sRc1NyHd6GjUa3EoB5iXvWt'

test.each([
  ['in lower case', key.toLowerCase()],
  ['in upper case', key.toUpperCase()],
  ['without its first character', key.slice(1)],
  ['without its last character', key.slice(0, -1)],
  ['shortened to its first 23 characters', key.slice(0, 23)],
  ['shortened to its last 23 characters', key.slice(-23)],
  ['shortened to 23 characters from its middle', key.slice(9, 32)],
])('an API key %s is masked', (_, written) => {
  expect(maskText(`bad key ${written} sent`, [key])).toBe('bad key *** sent')
  expect(maskText(written, [key])).toBe('***')
})
