import { expect, test } from 'vitest'
import { defaultsOf } from '../../src/profiles/settings.ts'

test('only the time zone, language, rate, and output format of a profile are defaults for flags', () => {
  const defaults = { timezone: 'UTC', language: 'fr', rate: '5/s', output: 'json' }
  const others = {
    protect: 'off',
    baseUrl: 'https://acme.example',
    reference: true,
    auditCommand: 'logger',
  } as const
  expect(defaultsOf({ ...others, ...defaults })).toEqual(defaults)
})
