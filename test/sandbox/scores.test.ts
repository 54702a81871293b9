import { expect, it } from 'vitest'
import { metricNames } from '../../src/contract/biomarkers.ts'
import { languages, type SummaryProfile, summaryProfiles } from '../../src/contract/values.ts'
import type { Level } from '../../src/sandbox/scores/wellbeing.ts'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { useSandbox } from './fixture.ts'

const { call, createUser, scan, answer, tokenOf } = useSandbox()
const atMostTwoDecimals = /^\d{1,3}(\.\d{1,2})?$/

async function metricsOf(externalUserId: string) {
  return await call('GET', '/v2/metrics', { query: { external_user_id: externalUserId } })
}

// spec 4.4:1
it('the sandbox returns 204 for the metrics of a user without scans', async () => {
  const { externalUserId } = await createUser()
  await answer(externalUserId, { weight: 70 })
  const reply = await metricsOf(externalUserId)
  expect([reply.status, reply.body]).toEqual([204, ''])
})

// spec 2.3a:1-2, 1:8
it('if a user has too few scans for a metric, the sandbox returns null for the metric', async () => {
  const { externalUserId } = await createUser()
  const known: number[] = []
  for (let scans = 1; scans <= 5; scans += 1) {
    scan(externalUserId, 1)
    const { status, body } = await metricsOf(externalUserId)
    expect([status, Object.keys(body.metrics).toSorted()]).toEqual([200, [...metricNames]])
    known.push(Object.values(body.metrics).filter((metric) => metric !== null).length)
  }
  expect(known).toEqual([0, 1, 4, 5, 6])
})

// spec 2.3a:3
it('the sandbox returns scores from 0 to 100 with at most two decimals', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 12)
  const { body } = await metricsOf(externalUserId)
  for (const { score, confidence } of Object.values<{ score: number; confidence: number }>(body.metrics)) {
    for (const value of [score, confidence]) {
      expect(String(value)).toMatch(atMostTwoDecimals)
      expect(value).toBeLessThanOrEqual(100)
    }
  }
  expect((await metricsOf(externalUserId)).body).toEqual(body)
})

it('a healthy answer raises the score of a metric, an unhealthy answer lowers it, and each answer raises confidence', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 10)
  const before = (await metricsOf(externalUserId)).body.metrics.mental_stress
  await answer(externalUserId, { feeling_stressed_last_month: 1 })
  const calm = (await metricsOf(externalUserId)).body.metrics.mental_stress
  await answer(externalUserId, { feeling_stressed_last_month: 5 })
  const tense = (await metricsOf(externalUserId)).body.metrics.mental_stress
  expect(calm.score).toBeGreaterThan(before.score)
  expect(tense.score).toBeLessThan(before.score)
  expect([before.confidence, calm.confidence, tense.confidence]).toEqual([60, 100, 100])
})

// spec 2.3a:1
it('the field last_update of the metrics is the time of the user’s latest scan', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 3)
  const { body } = await metricsOf(externalUserId)
  expect(Date.parse(body.last_update)).toBe(Date.parse('2026-03-10T12:00:00Z'))
})

// spec 2.4:1-4
it('the sandbox returns the status label UUU and scores of 50 for a user without known metrics', async () => {
  const { externalUserId } = await createUser()
  const query = { external_user_id: externalUserId }
  const unknown = await call('GET', '/v2/userprofiles/wellbeing', { query })
  expect([unknown.status, unknown.body]).toEqual([
    200,
    { mental: 50, physical: 50, energy_sleep: 50, status_label: 'UUU' },
  ])
  scan(externalUserId, 2)
  const { body } = await call('GET', '/v2/userprofiles/wellbeing', { query })
  expect(body.status_label).toMatch(/^U[LNG]U$/)
})

// spec 2.4:2-4
it('the letters of a status label describe the physical, mental, and energy_sleep scores in this order', async () => {
  const { externalUserId } = await createUser({ birth_date: '1990-01-01', sex: 'M' })
  scan(externalUserId, 10)
  const worst = {
    hours_sport_week: 0,
    daily_activities: 0,
    smoking: 1,
    parental_hypertension: 1,
    balance_coordination: 0,
  }
  const best = {
    feeling_stressed_last_month: 0,
    struggling_irritations_last_month: 0,
    things_your_way_last_month: 9,
  }
  await answer(externalUserId, { ...worst, ...best })
  const { body } = await call('GET', '/v2/userprofiles/wellbeing', {
    query: { external_user_id: externalUserId },
  })
  const label = (score: number) => (score < 45 ? 'L' : score > 55 ? 'G' : 'N')
  expect(body.status_label).toBe(label(body.physical) + label(body.mental) + label(body.energy_sleep))
  expect(body.physical).toBeLessThan(body.mental)
})

// spec 2.4:2
it('an older user gets a higher physical score than a younger user with the same scans', async () => {
  const { externalUserId, userId } = await createUser({ birth_date: '2000-01-01' })
  scan(externalUserId, 10)
  const query = { external_user_id: externalUserId }
  const { body: young } = await call('GET', '/v2/userprofiles/wellbeing', { query })
  await call('PUT', `/v2/users/${userId}`, { body: { birth_date: '1975-01-01' } })
  const { body: older } = await call('GET', '/v2/userprofiles/wellbeing', { query })
  expect(older.physical).toBeCloseTo(young.physical + 5, 5)
})

// spec 4.4:3
it('the sandbox returns wellbeing scores for an action token', async () => {
  const { externalUserId } = await createUser()
  const reply = await call('GET', '/v2/userprofiles/wellbeing', { token: await tokenOf(externalUserId) })
  expect([reply.status, reply.body.status_label]).toEqual([200, 'UUU'])
})

// spec 2.5:1, 4.4:4
it.each(languages)(
  'the sandbox returns the summary of every dimension in the language %s',
  async (language) => {
    const { externalUserId } = await createUser()
    const token = await tokenOf(externalUserId)
    const texts = await textsIn(language)
    const summaryOf = (profile: SummaryProfile, level: Level) => ({
      feedback: texts[`summary.${profile}.${level}.feedback`],
      tip: texts[`summary.${profile}.${level}.tip`],
    })
    for (const profile of summaryProfiles) {
      const reply = await call('GET', `/v2/userprofiles/summary/${profile}`, { token, query: { language } })
      expect([reply.status, reply.body]).toEqual([200, summaryOf(profile, 'unknown')])
    }
    scan(externalUserId, 10)
    const { body } = await call('GET', '/v2/userprofiles/summary/mental', { token, query: { language } })
    const known = (['below average', 'average', 'above average'] as const).map((level) =>
      summaryOf('mental', level),
    )
    expect(known).toContainEqual(body)
  },
)

// spec 4.4:5
it('the sandbox refuses a summary if the dimension is unknown, or if the language is unknown or missing', async () => {
  const token = await tokenOf((await createUser()).externalUserId)
  const summary = (profile: string, query: Record<string, string>) =>
    call('GET', `/v2/userprofiles/summary/${profile}`, { token, query })
  expect((await summary('social', { language: 'en' })).status).toBe(400)
  expect((await summary('mental', { language: 'xx' })).body.detail).toContain('language')
  expect((await summary('mental', {})).body.detail).toContain('language')
})
