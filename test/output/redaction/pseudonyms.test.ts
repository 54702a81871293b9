import { describe, expect, test } from 'vitest'
import { quote } from '../../../src/base/text/shell-quote.ts'
import { createPseudonyms } from '../../../src/output/redaction/pseudonyms.ts'

const id = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln'

describe('pseudonyms', () => {
  test('a name has the same pseudonym in fields and in texts, with or without dashes', () => {
    const pseudonyms = createPseudonyms('salt')
    const { user_id } = pseudonyms.value({ user_id: id })
    expect(user_id).toMatch(/^id-[0-9a-f]{8}$/)
    expect(pseudonyms.text(`user ${id}, ${id.replaceAll('-', '')}, ${id.toUpperCase()}.`)).toBe(
      `user ${user_id}, ${user_id}, ${user_id}.`,
    )
    expect(createPseudonyms('salt').value({ user_id: id }).user_id).toBe(user_id)
  })

  test('pseudonyms differ between machines', () => {
    expect(createPseudonyms('a').text(id)).not.toBe(createPseudonyms('b').text(id))
  })

  test('a name that was seen in a field is replaced in later text', () => {
    const pseudonyms = createPseudonyms('salt')
    const shown = pseudonyms.value({
      customer: 'Acme BV',
      external_user_id: 'ada@example.com',
      rows: [{ customer: 'X' }],
    })
    expect(JSON.stringify(shown)).not.toMatch(/Acme|ada|"X"/)
    expect(pseudonyms.text('Acme BV: ada%40example.com, Acme BVX')).toBe(
      `${shown.customer}: ${shown.external_user_id}, Acme BVX`,
    )
  })

  test.each([
    ['in a query', (name: string) => `/v2/users?${new URLSearchParams({ external_user_id: name })}&x=1`],
    ['in a path', (name: string) => `/users/${encodeURIComponent(name.toWellFormed())}/x`],
    ['in JSON', (name: string) => JSON.stringify({ id: name })],
    ['in a word of a shell', (name: string) => quote(JSON.stringify({ id: name }))],
  ])('replace a name however it is written %s', (_, write) => {
    for (const name of ["ada o'neil (x)", 'ada "the one"', 'a+b/c?d', 'añb ß', 'lone\ud800', 'tilde~!*']) {
      const pseudonyms = createPseudonyms('salt')
      const { external_user_id } = pseudonyms.value({ external_user_id: name })
      const shown = pseudonyms.text(write(name))
      expect(shown).toContain(external_user_id)
      expect(shown).toBe(write('NAME').replace('NAME', external_user_id))
    }
  })

  test('a short id in a query is replaced once', () => {
    const pseudonyms = createPseudonyms('salt')
    const { external_user_id } = pseudonyms.value({ external_user_id: '42' })
    const shown = pseudonyms.text('/v2/users?external_user_id=42')
    expect(shown).toBe(`/v2/users?external_user_id=${external_user_id}`)
    expect(pseudonyms.text(shown)).toBe(shown)
  })

  test.each([
    ['alone', (text: string) => text],
    ['in a word of a shell', quote],
    ['in another JSON text', (text: string) => JSON.stringify({ message: text })],
  ])('replace a field of a JSON text %s, whatever was seen before, and once', (_, write) => {
    for (const name of ['42', "o'neil", 'a\\b', 'ß x', '{"a":1}']) {
      const pseudonyms = createPseudonyms('salt')
      const { external_user_id } = createPseudonyms('salt').value({ external_user_id: name })
      const shown = pseudonyms.text(write(JSON.stringify({ external_user_id: name, sex: 'F' })))
      expect(shown).toBe(write(JSON.stringify({ external_user_id, sex: 'F' })))
      expect(pseudonyms.text(shown)).toBe(shown)
    }
  })

  test('other values, times and numbers are unchanged', () => {
    const pseudonyms = createPseudonyms('salt')
    const value = { heart_rate: 61.5, timestamp: '2026-01-01T00:00:00+00:00', score: null, list: [1, true] }
    pseudonyms.value({ external_user_id: '2026' })
    expect(pseudonyms.value(value)).toEqual(value)
    expect(pseudonyms.text('2026-01-01')).toBe('2026-01-01')
  })

  test('tokens in links are replaced', () => {
    const text = createPseudonyms('salt').text(`https://scan.example/?action_token=${token}&language=en`)
    expect(text).toMatch(/^https:\/\/scan\.example\/\?action_token=token-[0-9a-f]{8}&language=en$/)
  })
})
