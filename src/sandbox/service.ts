import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { html } from 'hono/html'
import { routePath } from 'hono/route'
import * as z from 'zod/mini'
import { type EndpointDefinition, png } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { type Caller, identifyCaller } from './credentials.ts'
import type { AnyHandler, Service } from './handler.ts'
import { handlers } from './handlers/index.ts'
import {
  decodeExternalId,
  findIdentified,
  readIdentifier,
  refuseIdentifiers,
  refuseInvalidUtf8,
} from './identify.ts'
import { type App, addPages } from './pages/index.ts'
import type { UserRecord } from './records/users.ts'
import { type Problem, Refusal } from './refusal.ts'
import { checkBody, checkParams, checkQuery, readJson } from './validate.ts'

export type Handle = (request: Request) => Promise<Response>

/**
 * The entire service as a function from request to reply, with its routes taken from the contract. `log` receives one line
 * for each request: method, path with unfilled parameters, status and duration.
 */
export function createService(service: Service, log: (line: string) => void = () => undefined): Handle {
  const app: App = new Hono()
  app.use(async (context, next) => {
    const startedAt = performance.now()
    await next()
    // The last matching route of hono is not always the one that replied.
    const route = context.get('route') ?? routePath(context, -1)
    const shown = route === '/*' ? '(no such endpoint)' : route
    const durationMs = (performance.now() - startedAt).toFixed(1)
    log(`${context.req.method} ${shown} ${context.res.status} ${durationMs} ms`)
  })
  app.use(allowActionTokens)
  for (const [name, endpoint] of literalFirst(endpoints())) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const handler = findHandler(name)
    app.on(endpoint.method, path, (context) => {
      context.set('route', path)
      const { req } = context
      return answer({ endpoint, handler, request: req.raw, params: req.param(), service })
    })
  }
  addPages(app, service)
  app.notFound(() => json(404, { detail: 'endpoint not found' }))
  app.onError((error) => {
    if (error instanceof Refusal) return json(error.status, { detail: error.detail })
    log(`internal error: ${error.stack}`)
    return json(500, { detail: 'internal error' })
  })
  return async (request) => app.fetch(request)
}

/** Browsers may send action tokens from any origin. API keys must not appear in client-side code (spec 5). */
const allowActionTokens = cors({
  origin: (_, { req }) => (isFromTokenHolder(req) ? '*' : null),
  allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['x-request-id'],
  maxAge: 600,
})

/** A browser announces the headers of a request in a preflight request. */
function isFromTokenHolder(req: Context['req']): boolean {
  const announced =
    req
      .header('access-control-request-headers')
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? []
  const isSent = (name: string) =>
    req.method === 'OPTIONS' ? announced.includes(name) : req.header(name) !== undefined
  return isSent('authorization') && !isSent('x-api-key')
}

interface Call {
  endpoint: EndpointDefinition
  handler: AnyHandler
  request: Request
  params: Record<string, string>
  service: Service
}

async function answer(call: Call): Promise<Response> {
  const { endpoint, handler, request, service } = call
  const caller = await identifyCaller(endpoint, request.headers, service)
  const { search, searchParams } = new URL(request.url)
  refuseInvalidUtf8(search)
  const params = checkParams(endpoint.params, call.params)
  const query = checkQuery(endpoint.query, searchParams)
  const { user, body } = await identifyUser(call, caller, searchParams)
  // Every part was checked against the contract, from which the handler's types are derived.
  const checked = { service, user, params, query, body } as Parameters<AnyHandler>[0]
  const reply = await handler(checked)
  return toResponse(endpoint, reply, request)
}

async function identifyUser(
  { endpoint, request, service }: Call,
  caller: Caller,
  query: URLSearchParams,
): Promise<{ user: UserRecord | undefined; body: unknown }> {
  const { revision, store } = service
  const { user: rule } = endpoint
  const schema = (revision === 'earlier' && endpoint.bodyInEarlierRevision) || endpoint.body
  const raw = schema || rule?.in === 'body' ? decodeExternalId(await readJson(request)) : undefined
  if (caller.kind === 'token') refuseIdentifiers(query, raw)
  const isNeeded = rule !== undefined && caller.kind !== 'token'
  const input = rule?.in === 'query' ? Object.fromEntries(query) : raw
  const identified = isNeeded ? readIdentifier(rule, revision, input) : { problems: [] }
  if (rule?.in === 'query') refuseQuery(identified.problems)
  const checked = schema ? checkBody(schema, raw) : undefined
  const problems = [...identified.problems, ...(checked?.problems ?? [])]
  if (problems.length > 0) throw new Refusal(422, problems)
  const user = caller.kind === 'token' ? caller.user : findIdentified(store, identified)
  return { user, body: checked?.data }
}

/** Anything except exactly one valid identifier in the query is a 400 with one text. */
function refuseQuery([first]: readonly Problem[]): void {
  if (!first) return
  const { loc, msg } = first
  throw new Refusal(
    400,
    loc.includes('user_id') || msg.includes('user_id') ? msg : `external_user_id: ${msg}`,
  )
}

/** Throws if a reply does not match its strict schema. This is a defect of the sandbox. */
function toResponse(
  endpoint: EndpointDefinition,
  { status, body }: { status: number; body: unknown },
  request: Request,
): Response | Promise<Response> {
  const schema = endpoint.replies[status]
  if (schema === undefined) throw new Error(`${endpoint.path}: status ${status} is not in the contract`)
  if (schema === null) return new Response(null, { status, headers: commonHeaders() })
  if (schema === png) {
    const headers = { ...commonHeaders(), 'content-type': 'image/png' }
    return new Response(new Uint8Array(body as Uint8Array), { status, headers })
  }
  z.parse(schema, body)
  // Some services return widgets as HTML unless the request accepts JSON.
  const acceptsJson = request.headers.get('accept')?.includes('application/json')
  return endpoint.section === '4.9' && !acceptsJson ? widgetPage(body) : json(status, body)
}

async function widgetPage(body: unknown): Promise<Response> {
  const page =
    await html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return new Response(String(page), { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...commonHeaders(), 'content-type': 'application/json' },
  })
}

function commonHeaders(): Record<string, string> {
  return { 'x-request-id': randomUUID(), 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

function literalFirst(all: [string, EndpointDefinition][]): [string, EndpointDefinition][] {
  const parameters = ([, endpoint]: [string, EndpointDefinition]) => endpoint.path.split('{').length
  return all.toSorted((a, b) => parameters(a) - parameters(b))
}

function findHandler(name: string): AnyHandler {
  const [group = '', verb] = name.split('.')
  const found: unknown = Reflect.get(handlers, group)
  return (verb === undefined ? found : Reflect.get(found as object, verb)) as AnyHandler
}
