import { describe, expect, it } from 'vitest'
import type { Effect } from '../../src/contract/endpoint.ts'
import { decideChange, type GuardedSession, guardChange, type Person } from '../../src/profiles/guard.ts'
import { environmentOf } from '../../src/profiles/profile.ts'
import { type Protection, protections } from '../../src/profiles/settings.ts'
import { describeCase, expectedDecision, type GuardCase, words } from './guard-rules.ts'

const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

const changes = {
  read: { effect: 'read', summary: 'show a user' },
  change: { effect: 'change', summary: 'update a user' },
  import: { effect: 'change', summary: 'import 10 rows', users: 10 },
  destroy: { effect: 'destroy', summary: 'delete a user', userId },
} as const satisfies Record<string, { effect: Effect; summary: string; users?: number; userId?: string }>

type ChangeName = keyof typeof changes

const cases: GuardCase[] = ['ACME', 'ACME-DEV', 'SANDBOX-DEV', null].flatMap((profile) =>
  protections.flatMap((protect) =>
    (Object.keys(changes) as ChangeName[]).flatMap((change) =>
      [true, false].flatMap((interactive) =>
        [true, false].flatMap((yes) =>
          words.map((word) => ({
            profile,
            protect,
            change,
            interactive,
            yes,
            word,
          })),
        ),
      ),
    ),
  ),
)

/**
 * Returns the error of a refused change instead of throwing it, so that the same table of test cases can contain allowed and refused
 * changes.
 */
function tryDecide(...parts: Parameters<typeof decideChange>) {
  try {
    return decideChange(...parts)
  } catch (error) {
    return { do: 'refuse', error }
  }
}

function decide({ profile, protect, change, interactive, yes, word }: GuardCase) {
  const environment = profile === null ? 'production' : environmentOf(profile)
  const right = change === 'destroy' ? userId : profile === null ? 'production' : profile
  const confirm = { none: undefined, right, wrong: `${right}x` }[word]
  return tryDecide(changes[change], { profile, environment, protect }, { interactive, yes, confirm })
}

describe('the guard before a change', () => {
  it.each(cases.map((one) => [expectedDecision(one), describeCase(one), one] as const))(
    'the guard returns "%s" for this change: %s',
    (expected, _, one) => {
      expect(decide(one).do).toBe(expected)
    },
  )

  it('a change in production is never allowed if --yes is the only confirmation', () => {
    const open = cases.filter(
      (one) =>
        one.yes &&
        one.word === 'none' &&
        one.profile === 'ACME' &&
        one.protect !== 'off' &&
        one.change !== 'read',
    )
    expect(open.length).toBeGreaterThan(0)
    for (const one of open) expect(decide(one).do).not.toBe('proceed')
  })

  it('a deletion can be confirmed with the user ID or the external user ID, and its prompt requests the external user ID', () => {
    const session = { profile: 'ACME', environment: 'production', protect: 'confirm' } as const
    const change = { ...changes.destroy, externalUserId: '47 11' }
    const consent = { interactive: false, yes: false }
    for (const confirm of ['47 11', userId])
      expect(tryDecide(change, session, { ...consent, confirm })).toEqual({ do: 'proceed' })
    expect(tryDecide(change, session, { ...consent, confirm: undefined })).toMatchObject({
      error: { details: { hint: "Nothing was changed. Re-run with --confirm='47 11'" } },
    })
    expect(tryDecide(change, session, { ...consent, interactive: true, confirm: undefined })).toMatchObject({
      do: 'type',
      word: '47 11',
    })
  })

  it('the error for each refused change shows the next step', () => {
    const base = { profile: 'ACME', change: 'destroy', interactive: false, yes: true, word: 'none' } as const
    expect(decide({ ...base, protect: 'confirm' })).toMatchObject({
      error: { exitCode: 12, details: { hint: `Nothing was changed. Re-run with --confirm=${userId}` } },
    })
    expect(decide({ ...base, protect: 'read-only' })).toMatchObject({
      error: { exitCode: 12, details: { hint: expect.stringContaining('facescan profiles unlock ACME') } },
    })
    expect(decide({ ...base, protect: 'confirm', change: 'import' })).toMatchObject({
      error: { details: { hint: 'Nothing was changed. Re-run with --confirm=ACME' } },
    })
    expect(
      decide({ ...base, protect: 'confirm', profile: 'ACME-DEV', change: 'change', yes: false }),
    ).toMatchObject({
      error: { details: { hint: 'Nothing was changed. Re-run with --yes or --confirm=ACME-DEV' } },
    })
    expect(decide({ ...base, protect: 'confirm', word: 'wrong' })).toMatchObject({
      error: { details: { hint: expect.stringContaining(`Re-run with --confirm=${userId}`) } },
    })
  })

  it.each([
    ['update a user', '4711', 'updating user 4711 in ACME (production) needs confirmation'],
    [
      'delete a user and all of their data',
      '4711',
      'deleting user 4711 and all of their data in ACME (production) needs confirmation',
    ],
    ['save one answer', '4711', 'saving one answer for user 4711 in ACME (production) needs confirmation'],
    [
      'import 10 answers for 3 users',
      undefined,
      'importing 10 answers for 3 users into ACME (production) needs confirmation',
    ],
  ])('the error for a refused change describes the change: %s', (summary, externalUserId, message) => {
    const session = { profile: 'ACME', environment: 'production', protect: 'confirm' } as const
    const change = { effect: 'change', summary, externalUserId } as const
    const consent = { interactive: false, yes: false, confirm: undefined }
    expect(tryDecide(change, session, consent)).toMatchObject({ error: { message } })
  })

  it('if a change in production with --yes is refused, the error states that --yes is ignored', () => {
    const base = { profile: 'ACME', change: 'change', protect: 'confirm', word: 'none' } as const
    expect(decide({ ...base, interactive: false, yes: true })).toMatchObject({
      error: { message: expect.stringMatching(/; --yes is ignored in production$/) },
    })
    expect(decide({ ...base, interactive: false, yes: false })).toMatchObject({
      error: { message: expect.not.stringContaining('--yes') },
    })
  })

  it('--confirm must contain the profile name for an update, and for a deletion that does not name a user', () => {
    const session = { profile: 'ACME', environment: 'production', protect: 'confirm' } as const
    const consent = { interactive: false, yes: false, confirm: undefined }
    const destroy = { effect: 'destroy', summary: 'delete all' } as const
    const change = { effect: 'change', summary: 'update a user', userId } as const
    for (const one of [destroy, change]) {
      expect(tryDecide(one, session, { ...consent, confirm: 'ACME' })).toEqual({ do: 'proceed' })
      expect(tryDecide(one, session, { ...consent, confirm: userId })).toMatchObject({
        error: { details: { hint: expect.stringMatching(/Re-run with --confirm=ACME$/) } },
      })
      expect(tryDecide(one, session, consent)).toMatchObject({
        error: { details: { hint: 'Nothing was changed. Re-run with --confirm=ACME' } },
      })
    }
  })
})

describe('the prompt before a change', () => {
  const session = { profile: 'ACME', environment: 'production', protect: 'confirm' } as const
  const fixed = (now: GuardedSession) => async () => now

  let time = 0
  const clock = { now: () => time }

  function answers(agreed: boolean, typed = ''): Person & { clock: typeof clock; asked: string[] } {
    const asked: string[] = []
    const put = <T>(answer: T) => {
      return async (question: string) => {
        asked.push(question)
        return answer
      }
    }
    const ask = { possible: true, confirm: put(agreed), text: put(typed) }
    return { asked, clock, flags: { yes: false }, ask }
  }

  it('a change is made after the prompt is answered with yes', async () => {
    const ask = answers(true)
    await guardChange(changes.change, fixed(session), ask)
    expect(ask.asked).toEqual(['About to update a user in ACME (production). Continue?'])
  })

  it('if no profile is selected, the prompt before a change names the user and the environment', async () => {
    const ask = answers(true)
    const change = { ...changes.change, externalUserId: '4711' }
    await guardChange(change, fixed({ ...session, profile: null }), ask)
    expect(ask.asked).toEqual(['About to update user 4711 in production. Continue?'])
  })

  it('no prompt is shown for a command that only reads, or for a change that a read-only profile forbids', async () => {
    const ask = answers(true, userId)
    await guardChange(changes.read, fixed(session), ask)
    const refused = guardChange(changes.destroy, fixed({ ...session, protect: 'read-only' }), ask)
    await expect(refused).rejects.toThrow('profile ACME is read-only')
    expect(ask.asked).toEqual([])
  })

  it('if the prompt is answered with "no", the change is not made', async () => {
    const declined = guardChange(changes.change, fixed(session), answers(false))
    await expect(declined).rejects.toMatchObject({ exitCode: 12 })
  })

  it('the prompt before a deletion accepts only the exact user ID', async () => {
    await guardChange(changes.destroy, fixed(session), answers(true, ` ${userId}\n`))
    for (const typed of [undefined, '', 'yes', 'ACME', userId.slice(1)]) {
      const stopped = guardChange(changes.destroy, fixed(session), answers(true, typed))
      await expect(stopped).rejects.toMatchObject({ exitCode: 12 })
    }
  })

  it('the prompt before an import accepts only the number of users as confirmation', async () => {
    await guardChange(changes.import, fixed(session), answers(true, '10'))
    for (const typed of ['1', 'ACME', '']) {
      const stopped = guardChange(changes.import, fixed(session), answers(true, typed))
      await expect(stopped).rejects.toMatchObject({ exitCode: 12 })
    }
  })

  it('the service is shown before a prompt, and is not shown if --confirm replaces the prompt', async () => {
    let shown = 0
    const beforeQuestion = async () => void shown++
    await guardChange(changes.change, fixed(session), { ...answers(true), beforeQuestion })
    expect(shown).toBe(1)
    const confirmed = { ...answers(true), flags: { yes: false, confirm: 'ACME' }, beforeQuestion }
    await guardChange(changes.change, fixed(session), confirmed)
    expect(shown).toBe(1)
  })

  it('a change is refused if the profile becomes read-only while the prompt is open', async () => {
    let protect: Protection = 'confirm'
    const person = answers(true)
    const ask = async (question: string) => {
      protect = 'read-only'
      return person.ask.confirm(question)
    }
    const asked = { ...person, ask: { ...person.ask, confirm: ask } }
    const changed = guardChange(changes.change, async () => ({ ...session, protect }), asked)
    await expect(changed).rejects.toThrow('profile ACME is read-only: cannot update a user')
  })

  it('a confirmed change is checked again without a prompt, and is refused if its profile is now read-only', async () => {
    let protect: Protection = 'confirm'
    const person = answers(true)
    const recheck = await guardChange(changes.change, async () => ({ ...session, protect }), person)
    await recheck()
    expect(person.asked).toHaveLength(1)
    protect = 'read-only'
    time += 1_000
    await expect(recheck()).rejects.toThrow('profile ACME is read-only: cannot update a user')
  })

  it('a change is refused just before sending if its profile began to require confirmation after the first check', async () => {
    let protect: Protection = 'off'
    const current = async () => ({ ...session, protect })
    const recheck = await guardChange(changes.change, current, answers(true))
    await recheck()
    protect = 'confirm'
    time += 1_000
    await expect(recheck()).rejects.toThrow('updating a user in ACME (production) needs confirmation')
  })
})
