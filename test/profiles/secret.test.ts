import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, parseSecret, Secret } from '../../src/profiles/secret.ts'

describe('a secret', () => {
  const secret = new Secret('sentinel')

  it('printing a secret shows a mask, and only the method reveal() returns its text', () => {
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

  it('the fingerprint of a secret is the start of its hash', () => {
    expect(fingerprintOf(secret)).toBe('2b7847b7b705')
  })
})

describe('the text of a key file', () => {
  it('one line break at the end of a key file is not part of the key', () => {
    expect(parseSecret('!a-b.c_d@e%2F\n', 'x').reveal()).toBe('!a-b.c_d@e%2F')
    expect(parseSecret('key\r\n', 'x').reveal()).toBe('key')
  })

  it.each(['', '\n', ' key', 'key ', 'two words', 'key\n\n', 'two\nlines', '\uFEFFkey', 'clé', 'key\0'])(
    'an invalid key is refused with an error that states the problem: %j',
    (text) => {
      expect(() => parseSecret(text, 'The file')).toThrow(/^The file (is empty|contains a space)/)
    },
  )
})
