import { expect, it } from 'vitest'
import { disabledSections, languages, lookupKeys } from '../../src/contract/values.ts'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, scan, answer } = fixture

/** Opens a link through the loopback address, because Node cannot resolve names below localhost. */
async function open(link: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(link)
  const reply = await fetch(fixture.sandbox.url + pathname + search, { redirect: 'manual', ...init })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

async function dashboardLink(externalUserId: string, options: object = {}): Promise<string> {
  const body = { external_user_id: externalUserId, ...options }
  return (await call('POST', '/v2/dashboards/health', { body })).body
}

async function scanLink(externalUserId: string, options: Record<string, string> = {}): Promise<string> {
  const query = { external_user_id: externalUserId, ...options }
  return (await call('GET', '/v2/userjourneys/scan', { query })).body
}

// spec 4.6:1
it('a dashboard link opens once, and then shows that it was already used', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  const texts = await textsIn('en')
  const first = await open(link)
  expect([first.status, first.text.includes(texts['dashboard.title'])]).toEqual([200, true])
  const second = await open(link)
  expect([
    second.status,
    second.text.includes(texts['link.used']),
    second.text.includes('data-section'),
  ]).toEqual([410, true, false])
})

it('a dashboard link opens once if several requests arrive at the same time', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  const replies = await Promise.all(Array.from({ length: 8 }, () => open(link)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(410)])
})

it('a dashboard link still works after a HEAD request', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  expect((await open(link, { method: 'HEAD' })).status).toBe(200)
  expect((await open(link)).status).toBe(200)
})

// spec 1:4
it.each(languages)(
  'the sandbox shows the dashboard and the scan page in the language %s',
  async (language) => {
    const { externalUserId } = await createUser()
    scan(externalUserId, 3)
    const texts = await textsIn(language)
    const dashboard = await open(await dashboardLink(externalUserId, { language }))
    const page = await open(await scanLink(externalUserId, { language }))
    for (const { text } of [dashboard, page]) expect(text).toContain(`<html lang="${language}">`)
    expect(dashboard.text).toContain(`<h1>${texts['dashboard.title']}</h1>`)
    expect(dashboard.text).toContain(texts['biomarker.heart_rate'])
    expect(page.text).toContain(texts['scan.start'])
  },
)

// spec 1:5, 2.1:16
it('a page is shown in the user’s language if the link names an unknown language', async () => {
  const { externalUserId } = await createUser({ language: 'nl' })
  const link = new URL(await dashboardLink(externalUserId))
  link.searchParams.set('language', 'xx')
  expect((await open(link.href)).text).toContain('<html lang="nl">')
})

// spec 4.6:4, 4.6:6
it.each(disabledSections)('the dashboard omits the disabled section %s', async (section) => {
  const { externalUserId } = await createUser()
  const { text } = await open(await dashboardLink(externalUserId, { disabled_sections: [section] }))
  const shown = [...text.matchAll(/data-section="(\w+)"/g)].map(([, name]) => name)
  expect(shown).toEqual(disabledSections.filter((name) => name !== section))
})

it('the dashboard lists the open tasks until all tasks are done', async () => {
  const { externalUserId } = await createUser()
  const texts = await textsIn('en')
  const todoSection = async () => {
    const { text } = await open(await dashboardLink(externalUserId))
    return text.slice(text.indexOf('data-section="todos"'), text.indexOf('<footer>'))
  }
  expect(await todoSection()).toContain(texts['question.height'])
  await answer(externalUserId, { height: 180, weight: 70 })
  expect(await todoSection()).not.toContain(texts['question.height'])
  scan(externalUserId, 5)
  const { body: keys } = await call('GET', '/v2/questions/all')
  await answer(externalUserId, Object.fromEntries(keys.map((key: string) => [key, 3])))
  expect(await todoSection()).toContain(texts['dashboard.nothingToDo'])
})

it('the sandbox records one scan for each submitted form, even after a reload of the result page', async () => {
  const { externalUserId } = await createUser()
  const link = await scanLink(externalUserId)
  const pressed = await open(link, { method: 'POST' })
  expect(pressed.status).toBe(303)
  const result = new URL(pressed.headers.get('location') ?? '', link).href
  for (const _ of [1, 2]) expect((await open(result)).status).toBe(200)
  const { body } = await call('GET', '/v2/face-scans/', { query: { external_user_id: externalUserId } })
  expect(body).toHaveLength(1)
})

// spec 2.6:7-8
it('the scan page shows unanswered questions and saves the answers (spec 2.6)', async () => {
  const { externalUserId } = await createUser()
  await answer(externalUserId, { weight: 70 })
  const link = await scanLink(externalUserId)
  const asked = async () =>
    [...(await open(link)).text.matchAll(/<input type="number" name="(\w+)"/g)].map(([, key]) => key)
  expect(await asked()).toEqual(lookupKeys.filter((key) => key !== 'weight'))
  const form = { height: '180', smoking: '0', age: '', nightly_wake_ups: '9' }
  expect((await open(link, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(303)
  const query = { external_user_id: externalUserId }
  const { items } = (await call('GET', '/v2/questions/answered', { query })).body
  const [latest] = (await call('GET', '/v2/face-scans/latest', { query })).body
  expect(items.slice(1)).toEqual(
    [
      ['height', 180, null],
      ['smoking', 0, null],
    ].map(([question_lookup_key, answer, score]) => ({
      question_lookup_key,
      answer,
      score,
      health_scan_id: latest.face_scan_id,
      local_timestamp: '2026-03-10T12:00:00.000000+00:00',
    })),
  )
  expect(await asked()).toEqual(lookupKeys.filter((key) => !['weight', 'height', 'smoking'].includes(key)))
})

it('the sandbox records a scan with a heart rate close to the user’s previous scans', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 10)
  await open(await scanLink(externalUserId), { method: 'POST' })
  const query = { external_user_id: externalUserId, count: 11 }
  const [newest, ...earlier] = (await call('GET', '/v2/face-scans/latest', { query })).body
  const rates = earlier.map(({ heart_rate }: { heart_rate: number }) => heart_rate)
  expect(newest.heart_rate).toBeGreaterThan(Math.min(...rates) - 20)
  expect(newest.heart_rate).toBeLessThan(Math.max(...rates) + 20)
})

it('the result page does not show another user’s scan', async () => {
  const [mine, theirs] = [await createUser(), await createUser()]
  scan(theirs.externalUserId, 1)
  const query = { external_user_id: theirs.externalUserId }
  const [other] = (await call('GET', '/v2/face-scans/latest', { query })).body
  const link = new URL(await scanLink(mine.externalUserId))
  link.pathname = '/scan/result'
  link.searchParams.set('face_scan_id', other.face_scan_id)
  expect((await open(link.href)).status).toBe(404)
})

it('the sandbox refuses a link that is expired, damaged, for a deleted user, or for another page', async () => {
  const { externalUserId, userId } = await createUser()
  const texts = await textsIn('en')
  const scanPage = await scanLink(externalUserId)
  const dashboard = await dashboardLink(externalUserId)
  const damaged = scanPage.replace('action_token=', 'action_token=x')
  const elsewhere = dashboard.replace('/?', '/scan?')
  const refused = async (link: string) => {
    const { status, text } = await open(link)
    return [status, text.includes(texts['link.invalid'])]
  }
  for (const link of [damaged, elsewhere, scanPage.split('?')[0] ?? '']) {
    expect(await refused(link)).toEqual([401, true])
  }
  fixture.nowMs += 7 * 60 * 60 * 1000
  for (const link of [scanPage, dashboard]) expect(await refused(link)).toEqual([401, true])
  fixture.nowMs -= 7 * 60 * 60 * 1000
  await call('DELETE', '/v2/users/', { query: { user_id: userId } })
  for (const link of [scanPage, dashboard]) expect(await refused(link)).toEqual([401, true])
})

it('a page allows no inline scripts and no content from other hosts, and sends no referrer', async () => {
  const { externalUserId } = await createUser()
  for (const link of [await scanLink(externalUserId), await dashboardLink(externalUserId)]) {
    const { headers, text } = await open(link)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/\sstyle=|\son\w+=|https?:\/\/(?!tips\.example\.com)/)
  }
})
