import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, parseSecret, Secret } from '../../src/profiles/secret.ts'

describe('a secret', () => {
  const secret = new Secret('sentinel')

  it('a secret is masked in every form except reveal()', () => {
    const forms = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true }),
    ]
    expect(forms).toEqual(['***', '***', '{"secret":"***"}', '{ secret: *** }'])
    expect({ ...secret }).toEqual({})
    expect(secret.reveal()).toBe('sentinel')
  })

  it('a secret has the start of its hash as its fingerprint', () => {
    expect(fingerprintOf(secret)).toBe('2b7847b7b705')
  })
})

describe('the text of a key', () => {
  it('the text of a key is read without one line break at its end', () => {
    expect(parseSecret('!a-b.c_d@e%2F\n', 'x').reveal()).toBe('!a-b.c_d@e%2F')
    expect(parseSecret('key\r\n', 'x').reveal()).toBe('key')
  })

  it.each(['', '\n', ' key', 'key ', 'two words', 'key\n\n', 'two\nlines', '\uFEFFkey', 'clé', 'key\0'])(
    'the text of a key is refused and not quoted: %j',
    (text) => {
      expect(() => parseSecret(text, 'The file')).toThrow(/^The file (is empty|contains a space)/)
    },
  )
})
