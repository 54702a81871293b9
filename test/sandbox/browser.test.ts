import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsIn } from '../../src/sandbox/texts/index.ts'
import { needs } from '../helpers/needs.ts'
import { useSandbox } from './fixture.ts'

/** The command `chromium` of Debian is a script that needs `grep` and `sed`. */
const programs = needs('chromium', 'grep', 'sed')
/** Time limit in ms of a step in the browser. Longer than a step takes on a busy machine, and shorter than the timeout of a test. */
const timeout = 120_000

describe.skipIf(programs.missing)('sandbox pages in Chromium', () => {
  const fixture = useSandbox()
  const { call, createUser, scan, answer, tokenOf } = fixture
  let browser: Browser

  beforeAll(async () => {
    const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quiet]
    browser = await chromium.launch({
      executablePath: programs.path.chromium,
      args,
      timeout,
      env: { ...process.env, PATH: programs.PATH },
    })
  })

  afterAll(() => browser?.close())

  async function openPage(options = {}): Promise<Page> {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(timeout)
    return context.newPage()
  }

  interface Visit {
    page: Page
    /** Console errors, refused resources, and exceptions. */
    complaints: string[]
    hosts: Set<string>
  }

  async function visit(link: string): Promise<Visit> {
    const page = await openPage()
    const complaints: string[] = []
    const hosts = new Set<string>()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol !== 'data:') hosts.add(hostname.replace(/^.*\.localhost$/, 'localhost'))
    })
    await page.goto(link)
    return { page, complaints, hosts }
  }

  async function dashboardLink(externalUserId: string, options: object = {}): Promise<string> {
    const body = { external_user_id: externalUserId, ...options }
    return (await call('POST', '/v2/dashboards/health', { body })).body
  }

  async function scanLink(externalUserId: string, language: string): Promise<string> {
    const query = { external_user_id: externalUserId, language }
    return (await call('GET', '/v2/userjourneys/scan', { query })).body
  }

  async function scannedUser() {
    const { externalUserId } = await createUser({ birth_date: '1985-02-03', sex: 'F' })
    scan(externalUserId, 30)
    await answer(externalUserId, { average_sleep_hours: 2, hours_sport_week: 4 })
    return externalUserId
  }

  async function accessibilityProblems(page: Page): Promise<string[]> {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    await page.evaluate(readFileSync(axe, 'utf8'))
    const result = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }

  it('a sandbox page records a scan and shows the measured values', async () => {
    const { externalUserId } = await createUser()
    const texts = await textsIn('de')
    const { page, complaints, hosts } = await visit(await scanLink(externalUserId, 'de'))
    await page.getByRole('button', { name: texts['scan.start'] }).click()
    await page.getByRole('heading', { name: texts['scan.done'] }).waitFor()
    const values = await page.locator('[data-section=biomarkers] li').allTextContents()
    const [latest] = (
      await call('GET', '/v2/face-scans/latest', { query: { external_user_id: externalUserId } })
    ).body
    expect(values).toHaveLength(6)
    expect(values[0]).toBe(
      `${texts['biomarker.heart_rate']}: ${String(latest.heart_rate).replace('.', ',')} bpm`,
    )
    expect([complaints, [...hosts]]).toEqual([[], ['localhost']])
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('link', { name: texts['scan.again'] }).click()
    await page.getByRole('button', { name: texts['scan.start'] }).waitFor()
    await page.context().close()
  })

  it('a sandbox page saves the answers of its form', async () => {
    const { externalUserId } = await createUser()
    const texts = await textsIn('en')
    const { page } = await visit(await scanLink(externalUserId, 'en'))
    await page.getByLabel(texts['question.weight']).fill('70')
    await page.getByLabel(texts['question.smoking']).fill('1')
    await page.getByRole('button', { name: texts['scan.start'] }).click()
    await page.getByRole('heading', { name: texts['scan.done'] }).waitFor()
    const query = { external_user_id: externalUserId }
    const { items } = (await call('GET', '/v2/questions/answered', { query })).body
    expect(
      items.map(({ question_lookup_key, answer }: Record<string, unknown>) => [question_lookup_key, answer]),
    ).toEqual([
      ['weight', 70],
      ['smoking', 1],
    ])
    await page.context().close()
  })

  // spec 5:6
  it('a web page from another origin can use an action token but not an API key (spec 5)', async () => {
    const { externalUserId } = await createUser()
    scan(externalUserId, 1)
    const token = await tokenOf(externalUserId)
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Customer app</title>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const page = await openPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    const request = (headers: Record<string, string>) =>
      page.evaluate(
        async ([url, sent]) => {
          try {
            const reply = await fetch(url, { headers: sent })
            return [reply.status, await reply.json()]
          } catch (error) {
            return String(error)
          }
        },
        [`${fixture.sandbox.url}/v2/face-scans/latest`, headers] as const,
      )
    const latest = (await call('GET', '/v2/face-scans/latest', { token })).body
    expect(await request({ authorization: `Token ${token}` })).toEqual([200, latest])
    expect(await request({ authorization: 'Token invalid' })).toEqual([401, expect.anything()])
    const { key } = fixture.sandbox.keys.development
    expect(await request({ 'x-api-key': key })).toBe('TypeError: Failed to fetch')
    await page.context().close()
    server.close()
  })

  it('a sandbox page records a scan in a browser without JavaScript', async () => {
    const { externalUserId } = await createUser()
    const texts = await textsIn('fr')
    const page = await openPage({ javaScriptEnabled: false })
    await page.goto(await scanLink(externalUserId, 'fr'))
    await page.getByRole('button', { name: texts['scan.start'] }).click()
    await page.getByRole('heading', { name: texts['scan.done'] }).waitFor()
    await page.context().close()
  })

  it('a dashboard of the sandbox fits phones and desktops and loads nothing from other hosts', async () => {
    const link = await dashboardLink(await scannedUser(), { language: 'de' })
    const { page, complaints, hosts } = await visit(link)
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect([complaints, [...hosts]]).toEqual([[], ['localhost']])
    await page.context().close()
  })

  it('axe finds no accessibility problem in the pages of the sandbox, in light and dark mode', async () => {
    const externalUserId = await scannedUser()
    const { externalUserId: newcomer } = await createUser()
    const links = [
      await dashboardLink(externalUserId),
      await dashboardLink(newcomer),
      await scanLink(externalUserId, 'en'),
    ]
    for (const link of links) {
      const { page } = await visit(link)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityProblems(page)).toEqual([])
      }
      await page.context().close()
    }
  })

  it('if a page that was opened with a link is reloaded, it shows that the link was already used', async () => {
    const texts = await textsIn('en')
    const { page } = await visit(await dashboardLink(await scannedUser()))
    await page.reload()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(texts['link.used'])
    await page.context().close()
  })
})
