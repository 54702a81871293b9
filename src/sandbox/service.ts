import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { routePath } from 'hono/route'
import { type EndpointDefinition, png } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { type Caller, identifyCaller } from './credentials.ts'
import type { AnyHandler, Service } from './handler.ts'
import { handlers } from './handlers/index.ts'
import {
  findIdentified,
  identifierInBody,
  identifierInQuery,
  type Revision,
  refuseIdentifiers,
} from './identify.ts'
import { addPages } from './pages/index.ts'
import type { UserRecord } from './records/users.ts'
import { Refusal } from './refusal.ts'
import { checkBody, checkValues, readJson } from './validate.ts'
import { widgetPage } from './widget-page.ts'

export type Handle = (request: Request) => Promise<Response>

export interface ServiceOptions {
  service: Service
  revision: Revision
  /** Receives one line a request: method, path with its parameters unfilled, status and duration. */
  log?: ((line: string) => void) | undefined
}

/** The whole service as a function from request to reply, its routes taken from the contract. */
export function createService({ service, revision, log = () => undefined }: ServiceOptions): Handle {
  const app = new Hono()
  app.use(async (context, next) => {
    const startedAt = performance.now()
    await next()
    const route = routePath(context, -1)
    log(
      `${context.req.method} ${route === '/*' ? '(no such endpoint)' : route} ${context.res.status} ${(performance.now() - startedAt).toFixed(1)} ms`,
    )
  })
  for (const [name, endpoint] of literalFirst(endpoints())) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const handler = findHandler(name)
    app.on(endpoint.method, path, ({ req }) =>
      answer({ endpoint, handler, request: req.raw, params: req.param(), service, revision }),
    )
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

interface Call {
  endpoint: EndpointDefinition
  handler: AnyHandler
  request: Request
  params: Record<string, string>
  service: Service
  revision: Revision
}

async function answer(call: Call): Promise<Response> {
  const { endpoint, handler, request, service } = call
  const caller = await identifyCaller(endpoint, request.headers, service)
  const { searchParams } = new URL(request.url)
  const params = checkValues(endpoint.params, call.params)
  const query = checkValues(endpoint.query, singleValues(searchParams))
  const { user, body } = await identifyUser(call, caller, searchParams)
  // The router has checked every part against the contract, which is what the handler's own types say.
  const checked = { service, user, params, query, body } as Parameters<AnyHandler>[0]
  const reply = await handler(checked)
  return toResponse(endpoint, reply, request)
}

async function identifyUser(
  { endpoint, request, service, revision }: Call,
  caller: Caller,
  query: URLSearchParams,
): Promise<{ user: UserRecord | undefined; body: unknown }> {
  const { user: rule, body: schema } = endpoint
  const raw = schema || rule?.in === 'body' ? await readJson(request) : undefined
  const fromToken = caller.kind === 'token'
  if (fromToken) refuseIdentifiers(query, raw)
  const inQuery = rule?.in === 'query' && !fromToken ? identifierInQuery(rule, revision, query) : undefined
  const inBody = rule?.in === 'body' && !fromToken ? identifierInBody(rule, revision, raw) : undefined
  const checked = schema ? checkBody(schema, raw) : undefined
  const problems = [...(inBody?.problems ?? []), ...(checked?.problems ?? [])]
  if (problems.length > 0) throw new Refusal(422, problems)
  const identifier = inQuery ?? inBody?.identifier
  const user = fromToken ? caller.user : identifier && findIdentified(service.store, identifier)
  return { user, body: checked?.data }
}

function singleValues(query: URLSearchParams): Record<string, string> {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (repeated) throw new Refusal(400, `${repeated}: given more than once`)
  return Object.fromEntries(query)
}

/** Sends a reply that matches the contract; one that does not is a bug of the sandbox, not of its caller. */
function toResponse(
  endpoint: EndpointDefinition,
  { status, body }: { status: number; body: unknown },
  request: Request,
) {
  const schema = endpoint.replies[status]
  if (schema === undefined)
    throw new Error(`${endpoint.path} answered ${status}, which its contract does not know`)
  if (schema === null) return new Response(null, { status, headers: commonHeaders() })
  if (schema === png) {
    return new Response(new Uint8Array(body as Uint8Array), {
      status,
      headers: { ...commonHeaders(), 'content-type': 'image/png' },
    })
  }
  schema.parse(body)
  return wantsWidgetPage(endpoint, request) ? widgetPage(body) : json(status, body)
}

/** Widgets, as seen in the field, answer a page to whoever does not ask for JSON. */
function wantsWidgetPage({ path }: EndpointDefinition, { headers }: Request): boolean {
  return path.startsWith('/v2/widgets/') && !headers.get('accept')?.includes('application/json')
}

function json(status: number, body: unknown): Response {
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
  const found = name
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], handlers)
  return found as AnyHandler
}
