import { expect, it } from 'vitest'
import { disabledSections, languages } from '../../src/contract/values.ts'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { useSandbox } from './fixture.ts'

const fixture = useSandbox()
const { call, createUser, scan, answer } = fixture

/** Opens a link by way of the loopback address, which the names below localhost stand for. */
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

it('opens a dashboard once and then says that the link was used', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  const {
    pages: { links, dashboard },
  } = await textsIn('en')
  const first = await open(link)
  expect([first.status, first.text.includes(dashboard.title)]).toEqual([200, true])
  const second = await open(link)
  expect([second.status, second.text.includes(links.used), second.text.includes('data-section')]).toEqual([
    410,
    true,
    false,
  ])
})

it('is opened once even by many at the same time', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  const replies = await Promise.all(Array.from({ length: 8 }, () => open(link)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(410)])
})

it('is not used up by a program that only checks the link', async () => {
  const { externalUserId } = await createUser()
  const link = await dashboardLink(externalUserId)
  expect((await open(link, { method: 'HEAD' })).status).toBe(200)
  expect((await open(link)).status).toBe(200)
})

it.each(languages)('speaks %s on every page', async (language) => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 3)
  const { pages: texts } = await textsIn(language)
  const dashboard = await open(await dashboardLink(externalUserId, { language }))
  const page = await open(await scanLink(externalUserId, { language }))
  for (const { text } of [dashboard, page]) expect(text).toContain(`<html lang="${language}">`)
  expect(dashboard.text).toContain(`<h1>${texts.dashboard.title}</h1>`)
  expect(dashboard.text).toContain(texts.biomarkers.heart_rate)
  expect(page.text).toContain(texts.scan.start)
})

it('speaks the language of the user where the link has none that is known', async () => {
  const { externalUserId } = await createUser({ language: 'nl' })
  const link = new URL(await dashboardLink(externalUserId))
  link.searchParams.set('language', 'xx')
  expect((await open(link.href)).text).toContain('<html lang="nl">')
})

it.each(disabledSections)('leaves out the section %s when it is disabled', async (section) => {
  const { externalUserId } = await createUser()
  const { text } = await open(await dashboardLink(externalUserId, { disabled_sections: [section] }))
  const shown = [...text.matchAll(/data-section="(\w+)"/g)].map(([, name]) => name)
  expect(shown).toEqual(disabledSections.filter((name) => name !== section))
})

it('asks for what is still missing until nothing is', async () => {
  const { externalUserId } = await createUser()
  const {
    pages: { todos, dashboard },
  } = await textsIn('en')
  const todoSection = async () => {
    const { text } = await open(await dashboardLink(externalUserId))
    return text.slice(text.indexOf('data-section="todos"'), text.indexOf('<footer>'))
  }
  expect(await todoSection()).toContain(todos.body)
  await answer(externalUserId, { height: 180, weight: 70 })
  expect(await todoSection()).not.toContain(todos.body)
  scan(externalUserId, 5)
  const { body: keys } = await call('GET', '/v2/questions/all')
  await answer(externalUserId, Object.fromEntries(keys.map((key: string) => [key, 3])))
  expect(await todoSection()).toContain(dashboard.nothingToDo)
})

it('records one scan when the button is pressed, however often the result is looked at', async () => {
  const { externalUserId } = await createUser()
  const link = await scanLink(externalUserId)
  const pressed = await open(link, { method: 'POST' })
  expect(pressed.status).toBe(303)
  const result = new URL(pressed.headers.get('location') ?? '', link).href
  for (const _ of [1, 2]) expect((await open(result)).status).toBe(200)
  const { body } = await call('GET', '/v2/face-scans/', { query: { external_user_id: externalUserId } })
  expect(body).toHaveLength(1)
})

it('records a scan near the earlier ones', async () => {
  const { externalUserId } = await createUser()
  scan(externalUserId, 10)
  await open(await scanLink(externalUserId), { method: 'POST' })
  const query = { external_user_id: externalUserId, count: 11 }
  const [newest, ...earlier] = (await call('GET', '/v2/face-scans/latest', { query })).body
  const rates = earlier.map(({ heart_rate }: { heart_rate: number }) => heart_rate)
  expect(newest.heart_rate).toBeGreaterThan(Math.min(...rates) - 20)
  expect(newest.heart_rate).toBeLessThan(Math.max(...rates) + 20)
})

it('shows the scans of nobody else', async () => {
  const [mine, theirs] = [await createUser(), await createUser()]
  scan(theirs.externalUserId, 1)
  const query = { external_user_id: theirs.externalUserId }
  const [other] = (await call('GET', '/v2/face-scans/latest', { query })).body
  const link = new URL(await scanLink(mine.externalUserId))
  link.pathname = '/scan/result'
  link.searchParams.set('face_scan_id', other.face_scan_id)
  expect((await open(link.href)).status).toBe(404)
})

it('turns away links that have expired, are damaged, belong to nobody or lead elsewhere', async () => {
  const { externalUserId, userId } = await createUser()
  const {
    pages: { links },
  } = await textsIn('en')
  const scanPage = await scanLink(externalUserId)
  const dashboard = await dashboardLink(externalUserId)
  const damaged = scanPage.replace('action_token=', 'action_token=x')
  const elsewhere = dashboard.replace('/?', '/scan?')
  const refused = async (link: string) => {
    const { status, text } = await open(link)
    return [status, text.includes(links.invalid)]
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

it('lets a page run nothing but its own and tells its address to nobody', async () => {
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
