import { describe, expect, it, test } from 'vitest'
import { FacescanError } from '../../src/base/errors.ts'
import { expectGeneratedSections } from '../helpers/generated.ts'
import { decide, renderSessionTable, type SessionCase, sessionCases } from './session-table.ts'

const outcomes = sessionCases.map((one) => ({ one, outcome: decide(one) }))
const accepted = outcomes.flatMap(({ one, outcome }) =>
  outcome instanceof FacescanError ? [] : [{ one, session: outcome }],
)
const refused = outcomes.flatMap(({ one, outcome }) =>
  outcome instanceof FacescanError ? [{ one, error: outcome }] : [],
)

function isAccepted(matches: (one: SessionCase) => boolean): string[] {
  return accepted.filter(({ one }) => matches(one)).map(({ one }) => JSON.stringify(one))
}

test('the documentation lists the chosen profile, key, and base URL for each combination of inputs', async () => {
  expect(sessionCases.length).toBeGreaterThan(900)
  await expectGeneratedSections('src/profiles/README.md', { sessions: renderSessionTable() })
})

describe('a session in every combination of its inputs', () => {
  it('a session with SANDBOX-DEV is refused if a key or a base URL is set', () => {
    const isCombined = ({ source, baseUrl }: SessionCase) =>
      !['none', 'token'].includes(source) || baseUrl !== 'not set'
    expect(isAccepted((one) => one.profile === 'SANDBOX-DEV' && isCombined(one))).toEqual([])
  })

  it('a session is refused if its base URL and the profile that stores its key have different origins', () => {
    expect(isAccepted(({ stored, baseUrl }) => stored !== 'no' && baseUrl === 'other origin')).toEqual([])
    expect(isAccepted(({ source, baseUrl }) => source === 'profile' && baseUrl === 'other origin')).toEqual(
      [],
    )
  })

  it('if a profile is selected and the key is stored only in another profile, the session is refused', () => {
    const isConflict = ({ profile, stored }: SessionCase) =>
      profile !== 'none' && stored.startsWith('in OTHER')
    expect(isAccepted(isConflict)).toEqual([])
  })

  it('a session with a service on another machine counts as production, except with the key of a development profile', () => {
    for (const { one, session } of accepted) {
      const isDevelopmentKey =
        one.stored === 'in OTHER-DEV' || (one.stored === 'in the profile' && one.profile === 'ACME-DEV')
      if (session.baseUrl === undefined || one.service === 'loopback' || isDevelopmentKey) continue
      expect(session.environment, JSON.stringify(one)).toBe('production')
    }
  })

  it('a session uses the built-in sandbox only if no base URL is set', () => {
    for (const { one, session } of accepted) {
      expect(session.environment === 'sandbox', JSON.stringify(one)).toBe(session.baseUrl === undefined)
    }
  })

  it('wherever its key comes from, a session has the protection of the profile that stores this key', () => {
    const stored = accepted.filter(({ one }) => one.stored !== 'no')
    for (const { one, session } of stored) {
      const isProduction =
        one.stored === 'in OTHER' || (one.stored === 'in the profile' && one.profile === 'ACME')
      const byDefault = isProduction ? 'confirm' : 'off'
      const expected = { default: byDefault, unlocked: 'confirm' } as Record<string, string>
      expect(session.protect, JSON.stringify(one)).toBe(expected[one.protection] ?? one.protection)
    }
    expect(new Set(stored.map(({ one }) => one.source)).size).toBe(4)
  })

  it('a session in production needs confirmations, except for a stored key with the protection "off"', () => {
    for (const { one, session } of accepted) {
      if (session.environment !== 'production' || session.protect !== 'off') continue
      expect(one.protection, JSON.stringify(one)).toBe('off')
      expect(one.stored, JSON.stringify(one)).not.toBe('no')
    }
  })

  it('a command exits with 12 if its session is refused, with 3 if it has no key, and with 13 if it has no base URL', () => {
    expect([...new Set(refused.map(({ error }) => error.exitCode))].toSorted()).toEqual([12, 13, 3])
    for (const { error } of refused) expect(error.details.hint).toBeDefined()
  })
})
