import { describe, expect, test } from 'vitest'
import { decideChange, type GuardedSession, warnOfUnlockEnd } from '../../src/profiles/guard.ts'
import { protections } from '../../src/profiles/settings.ts'

const deletion = { effect: 'destroy', summary: 'delete 3 users', users: 3 } as const
const baseUrl = 'https://api.example.com:8443/path'
const development: GuardedSession = {
  profile: 'ACME-DEV',
  environment: 'development',
  protect: 'confirm',
  baseUrl,
}
const consent = { interactive: true, yes: false, confirm: undefined }

describe.each(protections.filter((protect) => protect !== 'read-only'))(
  'changes with protection %s',
  (protect) => {
    const session = { ...development, protect }

    test('before a list is deleted, the prompt shows the host and asks for the number of users', () => {
      expect(decideChange(deletion, session, consent)).toEqual({
        do: 'type',
        question:
          'About to delete 3 users in ACME-DEV (development) at api.example.com:8443. This cannot be undone.',
        word: '3',
      })
    })

    test('--yes does not confirm the deletion of a list of users, in any environment', () => {
      const automatic = { ...consent, interactive: false, yes: true }
      expect(() => decideChange(deletion, session, automatic)).toThrow(
        /needs confirmation; --yes is not enough to confirm this change$/,
      )
      const production = { ...session, profile: 'ACME', environment: 'production' } as const
      expect(() => decideChange(deletion, production, automatic)).toThrow(/; --yes is ignored in production$/)
    })

    test.each(['ACME-DEV', '2', 'yes'])(
      '--confirm=%s does not confirm the deletion of three users',
      (confirm) => {
        expect(() => decideChange(deletion, session, { ...consent, confirm })).toThrow(/needs --confirm=3$/)
      },
    )

    test('--confirm with the number of users confirms the deletion of a list of users', () => {
      expect(decideChange(deletion, session, { ...consent, confirm: '3' })).toEqual({ do: 'proceed' })
    })
  },
)

test('the prompt before an update of one user does not show the host', () => {
  const change = { effect: 'change', summary: 'update a user', externalUserId: '4711' } as const
  expect(decideChange(change, development, consent)).toEqual({
    do: 'agree',
    question: 'About to update user 4711 in ACME-DEV (development).',
  })
})

describe('a list of users in an unlocked profile', () => {
  const change = { effect: 'change', summary: 'import 3 users', users: 3 } as const
  const unlocked = { profile: 'ACME', unlock: { until: 160_000, reason: 'ticket 7' } }

  test.each([
    [
      'the profile is not unlocked',
      { ...change, estimatedSeconds: 90 },
      { profile: 'ACME', unlock: undefined },
    ],
    ['one user is changed', { ...change, users: undefined }, unlocked],
    ['the list ends before the unlock', { ...change, estimatedSeconds: 59 }, unlocked],
  ])('an import does not warn that the unlock ends too early if %s', (_, list, session) => {
    expect(warnOfUnlockEnd(list, session, 100_000)).toBeUndefined()
  })

  test.each([
    ['takes as long as the unlock', 60, 100_000, /unlocked for another 1 min(ute)?\b.*takes about 1 min/],
    ['has an unknown duration', undefined, 100_000, /unlocked for another 1 min.*takes an unknown time/],
    ['starts after the unlock', 60, 170_000, /unlocked for another 1 s.*takes about 1 min/],
  ])(
    'an import warns that the unlock ends too early if the import %s',
    (_, estimatedSeconds, now, warning) => {
      expect(warnOfUnlockEnd({ ...change, estimatedSeconds }, unlocked, now)).toMatch(warning)
    },
  )
})
