import { describe, expect, test } from 'vitest'
import { quote } from '../../src/base/text/shell-quote.ts'
import { createPseudonyms } from '../../src/output/pseudonyms.ts'

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
  ])('replaces a learned name %s, in every encoding', (_, write) => {
    for (const name of ["ada o'neil (x)", 'ada "the one"', 'a+b/c?d', 'añb ß', 'lone\ud800', 'tilde~!*']) {
      const pseudonyms = createPseudonyms('salt')
      const { external_user_id } = pseudonyms.value({ external_user_id: name })
      const shown = pseudonyms.text(write(name))
      expect(shown).toContain(external_user_id)
      expect(shown).toBe(write('NAME').replace('NAME', external_user_id))
    }
  })

  test('a learned name has the same pseudonym in the path of a URL', () => {
    const pseudonyms = createPseudonyms('salt')
    const { external_user_id } = pseudonyms.value({ external_user_id: 'ada@example.com' })
    const shown = pseudonyms.text('https://api.example/v2/users/ada%40example.com')
    expect(shown).toBe(`https://api.example/v2/users/${external_user_id}`)
  })

  test('a short ID in a query is replaced once', () => {
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
  ])('replaces a field of a JSON text %s once, without having seen the name', (_, write) => {
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

  test.each([
    ['a random host', 'https://d8f3k2x9q.cdn.example/report', ['d8f3k2x9q']],
    ['a host without vowels', 'https://xkqzwpdt.cdn.example/', ['xkqzwpdt']],
    ['a signature', 'https://a.example/f?Expires=1790000000&sig=abc~x-y', ['abc~x-y', '1790000000']],
    [
      'a signed S3 URL',
      'https://s3.eu-west-1.amazonaws.com/scans/q7Zk2P?X-Amz-Credential=AKIAEXAMPLE%2F20260101&X-Amz-Signature=fe01',
      ['q7Zk2P', 'AKIAEXAMPLE', 'fe01'],
    ],
    ['a token in the path', '"https://a.example/r/AbCdEfGhIj/x.png"', ['AbCdEfGhIj']],
    ['a token in the fragment', 'see (https://a.example/#t=Zm9vYmFy1).', ['Zm9vYmFy1']],
    ['a short ID in an unknown path', 'GET /v9/things/42/parts', ['42']],
    ['an ID in an unknown path', 'GET /v9/things/user4711?order_id=7', ['user4711', '=7']],
  ])('replaces %s in a URL once', (_, original, secrets) => {
    const pseudonyms = createPseudonyms('salt')
    const shown = pseudonyms.text(original)
    for (const secret of secrets) expect(shown).not.toContain(secret)
    expect(shown).toMatch(/(?:token|id)-[0-9a-f]{8}/)
    expect(pseudonyms.text(shown)).toBe(shown)
  })

  test.each([
    'https://api.example/v2/users?language=en&limit=1000&from=2026-01-01T00:00:00Z',
    'http://127.0.0.1:45991/v2/health-scan/questions',
    'https://api.example/v2/questions?timezone=Europe%2FAmsterdam&sex=F',
    'https://s3.eu-west-1.amazonaws.com/face-scan-dashboard/index.html',
    'wrote /tmp/a1b2c3d4e5/report-20260101.csv',
  ])('does not change %s', (text) => {
    expect(createPseudonyms('salt').text(text)).toBe(text)
  })
})
