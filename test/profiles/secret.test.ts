import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, parseSecret, Secret } from '../../src/profiles/secret.ts'

describe('a secret', () => {
  const secret = new Secret('sentinel')

  it('shows itself in no form but the one that asks for it', () => {
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

  it('is known by the start of its hash', () => {
    expect(fingerprintOf(secret)).toBe('2b7847b7b705')
  })
})

describe('text that is meant to be a key', () => {
  it('loses one line break at its end and nothing else', () => {
    expect(parseSecret('!a-b.c_d@e%2F\n', 'x').reveal()).toBe('!a-b.c_d@e%2F')
    expect(parseSecret('key\r\n', 'x').reveal()).toBe('key')
  })

  it.each(['', '\n', ' key', 'key ', 'two words', 'key\n\n', 'two\nlines', '\uFEFFkey', 'clé', 'key\0'])(
    'is refused without being quoted: %j',
    (text) => {
      expect(() => parseSecret(text, 'The file')).toThrow(/^The file (is empty|contains a space)/)
    },
  )
})
