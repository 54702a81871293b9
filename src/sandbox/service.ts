import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { FacescanError } from '../base/errors.ts'
import { type Endpoint, png } from '../contract/endpoint.ts'
import { type Contract, findRoute, type Route } from '../contract/index.ts'
import type { AnyHandler, Handlers, Service } from './handler.ts'
import { identifyHolder, identifyUser } from './identify.ts'
import { Refusal, type ServiceReply, type ServiceRequest } from './message.ts'
import { checkParams, checkQuery } from './validate.ts'

/** Loads the handlers of each resource. A missing handler, or a response that does not match the contract, does not compile. */
export const handlers: { [Name in keyof Contract]: () => Promise<Pick<Handlers, Name>> } = {
  users: () => import('./handlers/users.ts'),
  scanUrl: () => import('./handlers/links.ts'),
  biomarkers: () => import('./handlers/biomarkers.ts'),
  metrics: () => import('./handlers/scores.ts'),
  wellbeing: () => import('./handlers/scores.ts'),
  summary: () => import('./handlers/scores.ts'),
  questions: () => import('./handlers/questions.ts'),
  dashboardUrl: () => import('./handlers/links.ts'),
  recommendations: () => import('./handlers/scores.ts'),
  ceLabel: () => import('./handlers/ce-label.ts'),
  widgets: () => import('./handlers/widgets.ts'),
}

/** The handler of an endpoint, by the dotted name of the endpoint in the contract. */
async function loadHandler(name: string): Promise<AnyHandler> {
  const [resource, verb] = name.split('.') as [keyof Contract, string | undefined]
  const loaded: unknown = Reflect.get(await handlers[resource](), resource)
  return (verb === undefined ? loaded : Reflect.get(loaded as object, verb)) as AnyHandler
}

export type Handle = (request: ServiceRequest) => Promise<ServiceReply & { route: string | undefined }>

/** The entire service as a function. `route` is the path template, or undefined if no endpoint matches. `log` receives internal errors. */
export function createService(service: Service, log: (line: string) => void = () => undefined): Handle {
  const answer = async (request: ServiceRequest, url: URL, route: Route | undefined) => {
    if (!route) throw new Refusal(404, 'endpoint not found')
    const { endpoint } = route
    const holder = await identifyHolder(endpoint, request.headers, service)
    const params = endpoint.params && checkParams(endpoint.params, route.params)
    const query = checkQuery(endpoint.query, url)
    const hasBody = endpoint.body !== undefined || endpoint.user?.in === 'body'
    const body = hasBody
      ? await (await import('./body.ts')).readBody(endpoint, request, service, log)
      : undefined
    const user = identifyUser(endpoint, holder, url.searchParams, body, service)
    // The type cast is safe: each part was checked against the contract, and the handler types are derived from the contract.
    const checked = { service, user, params, query, body: body?.data } as Parameters<AnyHandler>[0]
    const handle = await loadHandler(route.name)
    return toReply(endpoint, await handle(checked), request)
  }
  return async (request) => {
    const url = new URL(request.url)
    const route = findRoute(request.method, url.pathname)
    const reply = await answer(request, url, route).catch((error) => {
      // The caller handles expected errors, such as an unusable database: a command prints them, and the server converts them to responses.
      if (error instanceof FacescanError) throw error
      return toErrorReply(error, log)
    })
    // Clients compare times in the data with the Date header, so the header must use the clock of the service.
    const headers = { ...reply.headers, date: new Date(service.now()).toUTCString() }
    return { ...reply, headers, route: route?.endpoint.path }
  }
}

export function toErrorReply(error: unknown, log: (line: string) => void): ServiceReply {
  if (error instanceof Refusal) return respond(error.status, JSON.stringify({ detail: error.detail }))
  if (error instanceof FacescanError) {
    log(error.message)
    return respond(503, '{"detail":"the sandbox database cannot be used"}')
  }
  log(`internal error: ${error instanceof Error ? error.stack : error}`)
  return respond(500, '{"detail":"internal error"}')
}

/** Builds the response. Throws if it does not match the strict schema, because this is a defect of the sandbox. */
async function toReply(
  endpoint: Endpoint,
  { status, body }: { status: number; body: unknown },
  { headers: { accept } }: ServiceRequest,
): Promise<ServiceReply> {
  const schema = endpoint.replies[status]
  if (schema === undefined) throw new Error(`${endpoint.path}: status ${status} is not in the contract`)
  if (schema === null) return respond(status, '')
  if (schema === png) return respond(status, body as Uint8Array, 'image/png')
  z.parse(schema, body)
  // Like some services, the sandbox returns a widget as HTML unless the request accepts JSON.
  const isPage = endpoint.section === '4.9' && !accept?.includes('application/json')
  if (!isPage) return respond(status, JSON.stringify(body))
  const { html } = await import('hono/html')
  const page = html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return respond(status, String(await page), 'text/html; charset=utf-8')
}

function respond(status: number, body: string | Uint8Array, type = 'application/json'): ServiceReply {
  const headers: Record<string, string> = {
    'x-request-id': randomUUID(),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (body.length > 0) headers['content-type'] = type
  return { status, headers, body }
}
