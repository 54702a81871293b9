import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ConfigurationError } from '../base/errors.ts'
import { systemReason } from '../base/system/system-code.ts'
import type { Connection, Handler } from './faults.ts'
import type { Revision } from './identify.ts'
import { createService, type Handle, json } from './service.ts'
import { announcePort, servingPort, withdrawPort } from './status.ts'
import { type Keys, openStore } from './store.ts'

export { openApi } from '../contract/openapi.ts'
export { describeFaults, withFaults } from './faults.ts'
export { recordScans } from './record-scans.ts'
export { status } from './status.ts'
export { type Keys, openStore, reset, type Store } from './store.ts'

export interface SandboxOptions {
  /** Path of the database file. The file is created if it does not exist. */
  database: string
  /** Port (default 0: any free port). */
  port?: number
  host?: string
  /** Revision of the specification (default: the identifiers of both revisions). */
  revision?: Revision
  clock?: { now(): number }
  /** Receives one line per request, without IDs and values. */
  log?: (line: string) => void
  faults?: (handle: Handle) => Handler
  /** Makes the links of all processes on this database lead to this server. */
  announce?: boolean
}

export interface Sandbox {
  url: string
  keys: Keys
  close(): Promise<void>
}

/** Default port of `sandbox serve`. Links lead to it if no process serves the pages. */
export const usualPort = 4010

/** Starts the service on a port of this machine. Any number of processes can use one database. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', revision = 'both', clock = Date, log, faults } = options
  const store = await openStore(options.database)
  let ownPort = port
  const pagesPort = () => (options.announce ? ownPort : (servingPort(store) ?? usualPort))
  const handle = createService({ store, now: () => clock.now(), revision, publicPort: pagesPort }, log)
  const fetch = faults ? faults(handle) : handle
  const listener = getRequestListener((request, connection) => fetch(request, connection as Connection), {
    errorHandler: toErrorReply,
  })
  // With its own check, Node would reply to a request without a Host header with an empty body.
  const server = createServer({ requireHostHeader: false }, listener)
  try {
    ownPort = await listen(server, port, host)
  } catch (error) {
    store.close()
    throw error
  }
  if (options.announce) announcePort(store, ownPort)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${ownPort}`,
    keys: store.keys,
    async close() {
      await stop(server)
      if (options.announce) withdrawPort(store)
      store.close()
    },
  }
}

function toErrorReply(error: unknown): Response {
  return error instanceof RequestError
    ? json(400, { detail: 'the Host header or the URL is missing or invalid' })
    : json(500, { detail: 'internal error' })
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE'
      const hint = taken
        ? 'Choose another port with --port, or any free port with --port 0.'
        : 'Choose another port with --port.'
      reject(
        new ConfigurationError(`the sandbox cannot listen on ${host}:${port} (${systemReason(cause)})`, {
          hint,
          cause,
        }),
      )
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Active requests may finish, but a client that never ends its request must not block the shutdown. */
const graceMs = 2000

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), graceMs).unref()
  })
}
