import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { FacescanError } from '../base/errors.ts'
import { type EndpointDefinition, png } from '../contract/endpoint.ts'
import { findRoute, type Route } from '../contract/index.ts'
import { type Caller, identifyCaller } from './credentials.ts'
import type { AnyHandler, Service } from './handler.ts'
import { handlers } from './handlers/index.ts'
import {
  decodeExternalId,
  decodeText,
  findIdentified,
  readIdentifier,
  refuseIdentifiers,
  refuseInvalidUtf8,
} from './identify.ts'
import type { ServiceReply, ServiceRequest } from './message.ts'
import type { UserRecord } from './records/users.ts'
import { type Problem, problem, Refusal } from './refusal.ts'
import { checkBody, checkParams, checkQuery, readJson, unknownFields } from './validate.ts'

export type Handle = (request: ServiceRequest) => Promise<ServiceReply & { route: string | undefined }>

/**
 * The entire service as a function. The routes come from the contract. In a response, `route` is the path template of the endpoint, or
 * undefined if no endpoint matches. `log` receives internal errors.
 */
export function createService(service: Service, log: (line: string) => void = () => undefined): Handle {
  return async (request) => {
    const url = new URL(request.url)
    const route = findRoute(request.method, url.pathname)
    const reply = await answer(route, { request, url, service, log }).catch((error) => {
      // A command prints this error, such as an unusable database. Only the server converts the error to a response.
      if (error instanceof FacescanError) throw error
      return toErrorReply(error, log)
    })
    // Clients compare the times in the data with the Date header, so the header uses the clock of the service.
    const headers = { ...reply.headers, date: new Date(service.now()).toUTCString() }
    return { ...reply, headers, route: route?.endpoint.path }
  }
}

export function toErrorReply(error: unknown, log: (line: string) => void): ServiceReply {
  if (error instanceof Refusal) return json(error.status, { detail: error.detail })
  if (error instanceof FacescanError) {
    log(error.message)
    return json(503, { detail: 'the sandbox database cannot be used' })
  }
  log(`internal error: ${error instanceof Error ? error.stack : error}`)
  return json(500, { detail: 'internal error' })
}

interface Call {
  request: ServiceRequest
  url: URL
  service: Service
  log(line: string): void
}

async function answer(route: Route | undefined, call: Call): Promise<ServiceReply> {
  if (!route) throw new Refusal(404, 'endpoint not found')
  const { endpoint } = route
  const { request, url, service } = call
  const caller = await identifyCaller(endpoint, request.headers, service)
  refuseInvalidUtf8(url.search)
  // Percent escapes stay unchanged if they are not valid UTF-8.
  const decoded = Object.entries(route.params).map(([name, text]) => [name, decodeText(text) ?? text])
  const params = checkParams(endpoint.params, Object.fromEntries(decoded))
  const query = checkQuery(endpoint.query, url.searchParams)
  const { user, body } = await identifyUser(endpoint, call, caller)
  // The contract checked each part, and the types of the handler are derived from the contract.
  const checked = { service, user, params, query, body } as Parameters<AnyHandler>[0]
  const reply = await findHandler(route.name)(checked)
  return toReply(endpoint, reply, request)
}

async function identifyUser(
  endpoint: EndpointDefinition,
  { request, url: { searchParams: query }, service, log }: Call,
  caller: Caller,
): Promise<{ user: UserRecord | undefined; body: unknown }> {
  const { revision, store } = service
  const { user: rule } = endpoint
  const schema = (revision === 'earlier' && endpoint.bodyInEarlierRevision) || endpoint.body
  const raw = schema || rule?.in === 'body' ? decodeExternalId(await readJson(request)) : undefined
  const unknown = schema || rule?.in === 'body' ? unknownFields(schema, raw, rule) : []
  if (!service.isStrict && unknown.length > 0)
    log(`${endpoint.path}: ignored unknown fields: ${unknown.join(', ')}`)
  if (caller.kind === 'token') refuseIdentifiers(query, raw)
  const isNeeded = rule !== undefined && caller.kind !== 'token'
  const input = rule?.in === 'query' ? Object.fromEntries(query) : raw
  const identified = isNeeded ? readIdentifier(rule, revision, input) : { problems: [] }
  const [first] = identified.problems
  if (rule?.in === 'query' && first) throw queryRefusal(first)
  const checked = schema ? checkBody(schema, raw) : undefined
  const refused = service.isStrict ? unknown : []
  const problems = [
    ...identified.problems,
    ...(checked?.problems ?? []),
    ...refused.map((name) => problem(['body', ...name.split('.')], 'unknown field', 'value_error.extra')),
  ]
  if (problems.length > 0) throw new Refusal(422, problems)
  const user = caller.kind === 'token' ? caller.user : findIdentified(store, identified)
  return { user, body: checked?.data }
}

/** The same error for any query without exactly one valid user ID. */
function queryRefusal({ loc, msg }: Problem): Refusal {
  const isAboutUserId = loc.includes('user_id') || msg.includes('user_id')
  return new Refusal(400, isAboutUserId ? msg : `external_user_id: ${msg}`)
}

/** Builds the response. Throws if the response does not match its strict schema, because that is a defect of the sandbox. */
async function toReply(
  endpoint: EndpointDefinition,
  { status, body }: { status: number; body: unknown },
  { headers: { accept } }: ServiceRequest,
): Promise<ServiceReply> {
  const schema = endpoint.replies[status]
  if (schema === undefined) throw new Error(`${endpoint.path}: status ${status} is not in the contract`)
  if (schema === null) return { status, headers: commonHeaders(), body: '' }
  if (schema === png) {
    return { status, headers: { ...commonHeaders(), 'content-type': 'image/png' }, body: body as Uint8Array }
  }
  z.parse(schema, body)
  // Like some services, the sandbox returns a widget as HTML unless the request accepts JSON.
  const isPage = endpoint.section === '4.9' && !accept?.includes('application/json')
  return isPage ? widgetPage(body) : json(status, body)
}

async function widgetPage(body: unknown): Promise<ServiceReply> {
  // Loaded only here, because most commands need no HTML.
  const { html } = await import('hono/html')
  const page =
    await html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: String(page) }
}

function json(status: number, body: unknown): ServiceReply {
  const headers = { ...commonHeaders(), 'content-type': 'application/json' }
  return { status, headers, body: JSON.stringify(body) }
}

function commonHeaders(): Record<string, string> {
  return { 'x-request-id': randomUUID(), 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

function findHandler(name: string): AnyHandler {
  const [group = '', verb] = name.split('.')
  const found: unknown = Reflect.get(handlers, group)
  return (verb === undefined ? found : Reflect.get(found as object, verb)) as AnyHandler
}
