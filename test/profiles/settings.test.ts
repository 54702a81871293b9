import { expect, test } from 'vitest'
import { defaultsOf } from '../../src/profiles/settings.ts'

test('the only flag defaults from a profile are its time zone, language, rate, and output format', () => {
  const defaults = { timezone: 'UTC', language: 'fr', rate: '5/s', output: 'json' }
  const others = {
    protect: 'off',
    baseUrl: 'https://acme.example',
    reference: true,
    auditCommand: 'logger',
  } as const
  expect(defaultsOf({ ...others, ...defaults })).toEqual(defaults)
})
