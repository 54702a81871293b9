import { expect, test } from 'vitest'
import { toUrl } from '../../../src/base/text/to-url.ts'

test('a URL with a letter outside ASCII is parsed after many other URLs', () => {
  for (let index = 0; index < 200_000; index++) toUrl('https://api.example')
  expect(toUrl('https://bücher.test')?.host).toBe('xn--bcher-kva.test')
  expect(toUrl('api.example')).toBeUndefined()
})
