import { expect, test } from 'vitest'
import { maskText } from '../../src/base/mask.ts'

const secret = 'sentinel!key.of_ada-with_40@characters01'

test.each(
  [0, 1, 2, 3, 4].flatMap((length) =>
    (['base64', 'base64url', 'hex'] as const).map((encoding) => [encoding, length] as const),
  ),
)('a secret in %s that starts at byte %i of the encoded text is masked', (encoding, length) => {
  const encoded = Buffer.from(`${'x'.repeat(length)}${secret}:`).toString(encoding)
  expect(maskText(`bad header: Basic ${encoded}.`, [secret])).toBe('bad header: Basic ***.')
})

test('a secret in upper-case hex and a short secret in base64 are masked', () => {
  expect(maskText(Buffer.from(secret).toString('hex').toUpperCase(), [secret])).toBe('***')
  expect(maskText(Buffer.from('k3y!-._@x').toString('base64'), ['k3y!-._@x'])).toBe('***')
})

test('a long text that does not contain the secret is not masked', () => {
  const text = `request 5151d12e-2f9a-4d7a-962f-fd85d23bd68b: ${'aGVsbG8gd29ybGQh'.repeat(8)}`
  expect(maskText(text, [secret])).toBe(text)
})
