import type { Hono, Context as HonoContext } from 'hono'
import { html } from 'hono/html'
import { languages } from '../../contract/values.ts'
import { readText } from '../body.ts'
import type { Service } from '../handler.ts'
import { fromRequest } from '../message.ts'
import {
  findScan,
  findUser,
  insertAnswers,
  insertScans,
  latestAnswers,
  recentScans,
  type UserRecord,
} from '../records.ts'
import { synthesizeNext } from '../synthetic.ts'
import { textsIn } from '../texts/index.ts'
import { type Audience, readToken, type TokenClaims } from '../tokens.ts'
import { dashboardPage } from './dashboard.ts'
import { type PageContext, renderPage } from './layout.ts'
import { readAnswers, scanPage, scanResultPage, unansweredKeys } from './scan.ts'

interface Visit {
  service: Service
  req: HonoContext['req']
  /** The query of the request. The code of a page changes it to build the URL of another page. */
  query: URLSearchParams
  claims: TokenClaims
  user: UserRecord
  page: PageContext
}

type Show = (visit: Visit) => Promise<Response>

/** The type of the web server. `route` is the path of the endpoint, for the log. */
export type App = Hono<{ Variables: { route?: string } }>

/** Adds the pages of scan links and dashboard links. Each page needs the token in its link. */
export function addPages(app: App, service: Service): void {
  const open =
    (audience: Audience, show: Show) =>
    async ({ req }: Pick<HonoContext, 'req'>) => {
      const query = new URL(req.url).searchParams
      const token = query.get('action_token') ?? ''
      const claims = await readToken(service.store.tokenSecret, token, audience, service.now())
      const user = claims && findUser(service.store, { user_id: claims.userId })
      const asked = languages.find((known) => known === query.get('language'))
      const language = asked ?? user?.language ?? 'en'
      const page = { language, texts: await textsIn(language) }
      return claims && user ? show({ service, req, query, claims, user, page }) : refuse(page, 401)
    }
  app.get('/scan', open('scan', showScan))
  app.post('/scan', open('scan', recordAndRedirect))
  app.get('/scan/result', open('scan', showResult))
  const dashboard = open('dashboard', showDashboard)
  app.get('/', (context, next) => (context.req.query('action_token') ? dashboard(context) : next()))
}

function refuse(page: PageContext, status: number): Promise<Response> {
  return renderPage(page, page.texts['link.invalid'], html`<p>${page.texts['link.invalidText']}</p>`, status)
}

/** Shows the scan page. It asks only unanswered questions (spec 2.6). */
async function showScan({ service, user, page }: Visit): Promise<Response> {
  const { values } = latestAnswers(service.store, user.user_id)
  return renderPage(page, page.texts['scan.title'], scanPage(page, unansweredKeys(values)))
}

async function recordAndRedirect({ service, req, query, user }: Visit): Promise<Response> {
  const { store } = service
  const answers = readAnswers(new URLSearchParams(await readText(fromRequest(req.raw))))
  const previous = recentScans(store, user.user_id)
  const scan = { ...synthesizeNext(previous), taken_at_ms: service.now() }
  const [stored] = store.transaction(() => {
    const scans = insertScans(store, user.user_id, [scan])
    insertAnswers(store, user.user_id, answers, service.now())
    return scans
  })
  query.set('face_scan_id', stored?.face_scan_id ?? '')
  // Without a redirect, reloading the result page would record another scan.
  return new Response(null, { status: 303, headers: { location: `/scan/result?${query}` } })
}

async function showResult({ service, query, user, page }: Visit): Promise<Response> {
  const scan = findScan(service.store, user.user_id, query.get('face_scan_id') ?? '')
  if (!scan) return refuse(page, 404)
  query.delete('face_scan_id')
  return renderPage(page, page.texts['scan.done'], scanResultPage(page, scan, `/scan?${query}`))
}

async function showDashboard({ service, req, user, claims, page }: Visit): Promise<Response> {
  const { texts } = page
  // Link checkers send HEAD requests. Such a request must not use up the one-time link.
  if (req.method === 'HEAD') return new Response(null)
  const { store, now } = service
  store.run('delete from used_link where expires_at_ms < ?', now())
  const insert = 'insert or ignore into used_link (token_id, expires_at_ms) values (?, ?)'
  if (store.run(insert, claims.tokenId, claims.expiresAtMs) === 0)
    return renderPage(page, texts['link.used'], html`<p>${texts['link.usedText']}</p>`, 410)
  return renderPage(
    page,
    texts['dashboard.title'],
    await dashboardPage(page, service, user, claims.disabledSections),
  )
}
