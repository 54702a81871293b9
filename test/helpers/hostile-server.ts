import type { AddressInfo } from 'node:net'
import { createConnection, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the server received it. */
export interface RawRequest {
  /** Number of the request over all connections, starting at 0. */
  index: number
  /** Number of the TCP connection of the request, starting at 0. */
  connection: number
  method: string
  /** Path and query as they were sent, still encoded. */
  target: string
  /** Headers, by their names in lowercase. */
  headers: Record<string, string>
  body: string
}

/** One action of the server on a connection. A script is a list of steps in order. */
export type Step =
  | { do: 'send'; bytes: string | Buffer }
  | { do: 'wait'; ms: number }
  | { do: 'reset' }
  | { do: 'close' }
  | { do: 'hang' }

export type Script = (request: RawRequest) => Step | readonly Step[] | Promise<Step | readonly Step[]>

export interface HostileServer {
  url: string
  port: number
  /** Every completely received request, in order of arrival. */
  requests: RawRequest[]
  /** TCP connections accepted so far. */
  connections(): number
  close(): Promise<void>
}

/**
 * Placeholder in a response. The server replaces it with the time (UTC) at which it sends the response, because a test can create a
 * response long before it is sent.
 */
export const timeOfSending = '0000-00-00T00:00:00.000'

/** Replaces the text "now" in the `Date` header, and each `timeOfSending`, with the given time. */
export function setTimes(text: string, now: number): string {
  const time = new Date(now)
  return text
    .replace(/^date: now$/m, `date: ${time.toUTCString()}`)
    .replaceAll(timeOfSending, time.toISOString().slice(0, -1))
}

/** Sends a complete, well-formed response. A body that is not a string is sent as JSON. */
export function reply(status: number, body: unknown = '', headers: Record<string, string> = {}): Step {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  const all = {
    date: 'now',
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }
  return send(`${head(status, all)}${status === 204 ? '' : text}`)
}

/** Sends a response whose body stops after `sent` bytes of its declared length. The next step must be `reset()` or `close()`. */
export function cutReply(status: number, body: string, sent: number): Step {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return send(head(status, headers) + body.slice(0, sent))
}

export function head(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`
}

export const send = (bytes: string | Buffer): Step => ({ do: 'send', bytes })
export const wait = (ms: number): Step => ({ do: 'wait', ms })
/** Ends the connection with a TCP reset (RST). */
export const reset = (): Step => ({ do: 'reset' })
export const close = (): Step => ({ do: 'close' })
/** Keeps the connection open and sends nothing more. */
export const hang = (): Step => ({ do: 'hang' })

/**
 * A TCP server on loopback that performs the script's steps for each request. It sends exactly the given bytes. On each new connection,
 * it performs `greeting` before it reads a request.
 */
export async function hostileServer(script: Script, greeting: readonly Step[] = []): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const requests: RawRequest[] = []
  let connections = 0
  const server = createServer((socket) => {
    const connection = connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setNoDelay(true)
    for (const step of greeting) void perform(step, socket)
    readRequests(socket, async (parsed) => {
      const request = { ...parsed, connection, index: requests.length }
      requests.push(request)
      for (const step of [await script(request)].flat()) await perform(step, socket)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A hostile server. The end of the test closes it. */
export async function serve(script: Script): Promise<HostileServer> {
  const server = await hostileServer(script)
  onTestFinished(() => server.close())
  return server
}

/** A loopback URL that refuses connections until the end of the test. A client connection uses the port, so no server can use the port. */
export async function refusingUrl(): Promise<string> {
  const server = await serve(() => close())
  const client = createConnection(server.port, '127.0.0.1')
  await new Promise((connected) => client.once('connect', connected))
  onTestFinished(() => void client.destroy())
  return `http://127.0.0.1:${client.localPort}`
}

async function perform(step: Step, socket: Socket): Promise<void> {
  if (socket.destroyed) return
  if (step.do === 'send') await new Promise<void>((written) => socket.write(bytesOf(step), () => written()))
  else if (step.do === 'wait') await new Promise((resolve) => setTimeout(resolve, step.ms))
  else if (step.do === 'reset') socket.resetAndDestroy()
  else if (step.do === 'close') socket.end()
}

const bytesOf = ({ bytes }: { bytes: string | Buffer }) =>
  typeof bytes === 'string' ? setTimes(bytes, Date.now()) : bytes

type Parsed = Omit<RawRequest, 'index' | 'connection'>

/** Calls `handle` for each complete request (Content-Length or chunked), one at a time. */
function readRequests(socket: Socket, handle: (request: Parsed) => Promise<void>): void {
  let buffered: Buffer = Buffer.alloc(0)
  let queue = Promise.resolve()
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk])
    for (let found = takeRequest(buffered); found; found = takeRequest(buffered)) {
      buffered = found.rest
      const { request } = found
      queue = queue.then(() => handle(request))
    }
  })
}

function takeRequest(buffered: Buffer): { request: Parsed; rest: Buffer } | undefined {
  const end = buffered.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [start = '', ...lines] = buffered.subarray(0, end).toString('latin1').split('\r\n')
  const [method = '', target = ''] = start.split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = takeBody(headers, buffered.subarray(end + 4))
  return body && { request: { method, target, headers, body: body.text }, rest: body.rest }
}

function takeBody(
  headers: Record<string, string>,
  bytes: Buffer,
): { text: string; rest: Buffer } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return takeChunks(bytes)
  const length = Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  return { text: bytes.subarray(0, length).toString(), rest: bytes.subarray(length) }
}

function takeChunks(bytes: Buffer): { text: string; rest: Buffer } | undefined {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16)
    if (bytes.length < line + 2 + size + 2) return undefined
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
    if (size === 0) return { text: Buffer.concat(parts).toString(), rest: bytes.subarray(at) }
  }
}
