import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { languages } from '../../src/contract/values.ts'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, scan, answer, tokenOf } = fixture

interface Recommendation {
  title: string
  lookup_key: 'daily_walk'
  related_metric: string
  relevance: number
  action_url: string
  image_url: string
}

async function recommendationsFor(query: Record<string, string>): Promise<Recommendation[]> {
  return (await call('GET', '/v2/recommendations', { query })).body.recommendations
}

it('the sandbox returns a recommendation before the first scan', async () => {
  const { externalUserId } = await createUser()
  const [first] = await recommendationsFor({ external_user_id: externalUserId })
  expect(first).toMatchObject({ relevance: 1, lookup_key: 'daily_walk' })
})

// spec 2.7:1-2, 4.7:3
it('the first recommendation has the relevance 1 and is for the metric with the lowest score', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 10)
  await answer(externalUserId, { average_sleep_hours: 1, nightly_wake_ups: 5 })
  const query = { external_user_id: externalUserId }
  const found = await recommendationsFor(query)
  const { metrics } = (await call('GET', '/v2/metrics', { query })).body
  const scores = found.map(({ related_metric }) => metrics[related_metric].score)
  expect(scores).toEqual(scores.toSorted((a, b) => a - b))
  expect(found.map(({ relevance }) => relevance)).toEqual(found.map((_, index) => index + 1))
  for (const { action_url, image_url } of found) {
    expect(new URL(action_url).hostname).toMatch(/\.example\.com$/)
    expect(new URL(image_url).hostname).toMatch(/\.example\.com$/)
  }
})

// spec 1:4, 4.7:2
it.each(languages)('the sandbox returns recommendations in the language %s', async (language) => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 10)
  const texts = await textsIn(language)
  const found = await recommendationsFor({ external_user_id: externalUserId, language })
  expect(found.length).toBeGreaterThan(0)
  for (const { title, lookup_key } of found) expect(title).toBe(texts[`${lookup_key}.title`])
})

// spec 1:5
it('the sandbox returns recommendations in the user’s language, or in English if the user has no language', async () => {
  const dutch = await createUser({ language: 'nl' })
  const none = await createUser({ language: null })
  const title = async (id: string) => (await recommendationsFor({ external_user_id: id }))[0]?.title
  expect(await title(dutch.externalUserId)).toBe((await textsIn('nl'))['daily_walk.title'])
  expect(await title(none.externalUserId)).toBe((await textsIn('en'))['daily_walk.title'])
})

// spec 4.7:1
it('the sandbox returns recommendations for a user ID, an external user ID, and an action token', async () => {
  const { externalUserId, userId } = await createUser()
  const expected = await recommendationsFor({ external_user_id: externalUserId })
  expect(await recommendationsFor({ user_id: userId })).toEqual(expected)
  const byToken = await call('GET', '/v2/recommendations', { token: await tokenOf(externalUserId) })
  expect(byToken.body.recommendations).toEqual(expected)
})

it('recommendations are refused if the language is unknown, or if the user ID is missing, invalid, or not the only ID', async () => {
  const { externalUserId, userId } = await createUser()
  const ask = async (query: Record<string, string>) =>
    (await call('GET', '/v2/recommendations', { query })).status
  expect(await ask({ external_user_id: externalUserId, language: 'xx' })).toBe(400)
  expect(await ask({})).toBe(400)
  expect(await ask({ external_user_id: externalUserId, user_id: userId })).toBe(400)
  expect(await ask({ user_id: 'nonsense' })).toBe(400)
  expect(await ask({ external_user_id: 'nobody' })).toBe(404)
})

it.each(languages)('the sandbox has its own recommendation texts in the language %s', async (language) => {
  const english = await textsIn('en')
  const texts = await textsIn(language)
  expect(Object.keys(texts)).toEqual(Object.keys(english))
  const placeholders = (text: string) => text.match(/\{\w+\}/g)?.toSorted()
  for (const [name, text] of Object.entries(texts))
    expect([name, placeholders(text)]).toEqual([name, placeholders(english[name as keyof typeof english])])
  const own = Object.values(texts)
  expect(own.every((text) => text.trim() === text && text.length > 1)).toBe(true)
  for (const other of languages.filter((candidate) => candidate !== language)) {
    const shared = Object.values(await textsIn(other)).filter(
      (text) => text.length > 25 && own.includes(text),
    )
    expect(shared).toEqual([])
  }
})

// spec 4.6:1, 4.6:3, 8:3
it('the sandbox returns a new dashboard link for each request, in the requested language', async () => {
  const { externalUserId, userId } = await createUser({ language: 'sv' })
  const link = async (body: object) => {
    const reply = await call('POST', '/v2/dashboards/health', { body })
    expect(reply.status).toBe(201)
    return new URL(reply.body)
  }
  const [first, second] = [
    await link({ external_user_id: externalUserId }),
    await link({ user_id: userId, language: 'es' }),
  ]
  expect(first.host).toBe(`dashboard.localhost:${new URL(fixture.sandbox.url).port}`)
  expect([...first.searchParams.keys()]).toEqual(['action_token', 'language'])
  expect([first.searchParams.get('language'), second.searchParams.get('language')]).toEqual(['sv', 'es'])
  expect(first.searchParams.get('action_token')).not.toBe(second.searchParams.get('action_token'))
})

// spec 4.6:4, 7:2
it('the sandbox lists every invalid field of a dashboard request', async () => {
  const reply = await call('POST', '/v2/dashboards/health', {
    body: { language: 'xx', disabled_sections: ['main', 7] },
  })
  expect(reply.status).toBe(422)
  expect(reply.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')).toSorted()).toEqual([
    'body.disabled_sections.1',
    'body.external_user_id',
    'body.language',
  ])
  const unknown = await call('POST', '/v2/dashboards/health', { body: { external_user_id: 'nobody' } })
  expect([unknown.status, unknown.body.detail]).toEqual([404, 'user not found'])
})

// spec 4.8:1, 9:1
it('the sandbox returns the CE label as a PNG image without credentials', async () => {
  const reply = await fetch(`${fixture.sandbox.url}/v1/regulatory/ce-label`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  const image = Buffer.from(await reply.arrayBuffer())
  const { width, height, data } = PNG.sync.read(image)
  expect(data).toHaveLength(width * height * 4)
  expect([data.includes(0), data.includes(255)]).toEqual([true, true])
})
