import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { routePath } from 'hono/route'
import { ConfigurationError, systemCode, systemReason } from '../base/errors.ts'
import type { Connection, Handler } from './faults.ts'
import type { Revision, Service } from './handler.ts'
import { fromRequest, Refusal, toResponse } from './message.ts'
import { type App, addPages } from './pages/index.ts'
import { createService, toErrorReply } from './service.ts'
import { linkPort, openLockFile } from './serving.ts'
import { type Keys, openStore, type Store } from './store.ts'

type AnswerRequest = (request: Request) => Promise<Response>

export interface SandboxOptions {
  /** Path of the database file. The file is created if it does not exist. */
  database: string
  isBuiltIn?: boolean
  /** Port (default 0: any free port). */
  port?: number
  host?: string
  /** Revision of the specification (default: both, which accepts the user IDs of both revisions). */
  revision?: Revision
  /** Whether unknown fields in request bodies are refused (default: they are ignored and logged). */
  strict?: boolean
  clock?: { now(): number }
  /** Receives one line per request, without IDs and values. */
  log?: (line: string) => void
  faults?: (answer: AnswerRequest) => Handler
  /** Whether this server handles all links that are created with this database, also links from other processes. */
  announce?: boolean
}

export interface Sandbox {
  url: string
  keys: Keys
  close(): Promise<void>
}

/** Time limit in ms for active requests at a shutdown, so that a client cannot block the shutdown. */
const graceMs = 2000

/** Starts the service on a port of this machine. Several processes can use one database. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', revision = 'both', clock = Date } = options
  const store = await openStore(options.database, { isBuiltIn: options.isBuiltIn })
  let ownPort = port
  const url = () => `http://${host.includes(':') ? `[${host}]` : host}:${ownPort}`
  const publicPort = async () => (options.announce ? ownPort : linkPort(store))
  const isStrict = options.strict ?? false
  const app = createApp({ store, now: () => clock.now(), revision, publicPort, isStrict }, options.log)
  const handler = options.faults?.(app) ?? app
  const listener = getRequestListener((request, connection) => handler(request, connection as Connection), {
    errorHandler: (error) => {
      const refusal = new Refusal(400, 'the Host header or the URL is missing or invalid')
      return toResponse(toErrorReply(error instanceof RequestError ? refusal : error, () => undefined))
    },
  })
  // Without a Host header, Node would return an empty body. The sandbox checks the header itself and returns an error text.
  const server = createServer({ requireHostHeader: false }, listener)
  let withdraw: (() => void) | undefined
  try {
    ownPort = await listen(server, port, host)
    if (options.announce) withdraw = await announceServer(store, url())
  } catch (error) {
    server.close()
    store.close()
    throw error
  }
  return {
    url: url(),
    keys: store.keys,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), graceMs).unref()
      await closed
      withdraw?.()
      store.close()
    },
  }
}

/** The routes of the endpoints and the pages, with a log and CORS headers. */
function createApp(service: Service, log: (line: string) => void = () => undefined): AnswerRequest {
  const handle = createService(service, log)
  const app: App = new Hono()
  app.use(async (context, next) => {
    const startedAt = performance.now()
    await next()
    const path = context.get('route') ?? routePath(context, -1)
    const durationMs = (performance.now() - startedAt).toFixed(1)
    log(`${context.req.method} ${path} ${context.res.status} ${durationMs} ms`)
  })
  app.use(allowActionTokens)
  addPages(app, service)
  app.all('*', async (context) => {
    const { method, raw } = context.req
    const reply = await handle({ ...fromRequest(raw), method: method === 'HEAD' ? 'GET' : method })
    context.set('route', reply.route ?? '(no such endpoint)')
    return toResponse(reply)
  })
  app.onError((error) => toResponse(toErrorReply(error, log)))
  return async (request) => app.fetch(request)
}

/** Allows action tokens from any origin, but no API keys, because client-side code must not contain them (spec 5). */
const allowActionTokens = cors({
  origin: (_, { req }) => (isFromTokenHolder(req) ? '*' : null),
  allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['x-request-id'],
  maxAge: 600,
})

/** Whether the request has an action token. A preflight request contains no token, but it lists the headers of the next request. */
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

async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    await once(server.listen(port, host), 'listening')
    return (server.address() as AddressInfo).port
  } catch (cause) {
    const other = systemCode(cause) === 'EADDRINUSE' ? ', or any free port with --port 0' : ''
    throw new ConfigurationError(`the sandbox cannot listen on ${host}:${port} (${systemReason(cause)})`, {
      hint: `Choose another port with --port${other}.`,
      cause,
    })
  }
}

/** Until the returned function is called, new links lead to this server, and `isServed` finds its lock. */
async function announceServer(store: Store, url: string): Promise<() => void> {
  const lock = await openLockFile(store.path)
  lock.exec('begin')
  lock.all('select count(*) from sqlite_master')
  const name = `serving ${url}`
  const withdraw = () => {
    lock.exec('rollback')
    lock.close()
    store.run('delete from setting where name = ?', name)
  }
  try {
    store.run('insert or replace into setting (name, value) values (?, ?)', name, String(process.pid))
  } catch (error) {
    withdraw()
    throw error
  }
  return withdraw
}
