import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { buildConnector, Pool } from 'undici'
import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { openTunnel } from './proxy.ts'
import type { Dispatcher } from './wire.ts'

interface DispatcherOptions {
  /** Scheme, host, and port of the service. */
  origin: string
  env: Environment
  connectTimeoutMs: number
  proxy?: URL | undefined
  /**
   * Maximum number of open connections (default 1). Further requests wait. undici frees a connection one tick after the response, so if the
   * maximum is higher, the next request opens an additional connection.
   */
  connections?: number | undefined
  isAlone?: boolean
}

/** Opens the connections of one command to the service, directly or through a proxy. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { origin, env, connectTimeoutMs, proxy, connections = 1, isAlone } = options
  const ca = authorities(env)
  // The default limit of Node, 250 ms per address, is too short for a slow network.
  const addresses = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }
  const connect = { timeout: connectTimeoutMs, ...addresses, ...(ca && { ca }) }
  const direct = buildConnector(connect)
  const open = proxy ? throughProxy(proxy, direct, { ca, timeoutMs: connectTimeoutMs }) : direct
  return new Pool(origin, {
    connections,
    pipelining: isAlone ? 0 : 1,
    // The timeouts of undici are disabled, because each attempt has its own timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) =>
      open(target, (error, socket) => {
        if (socket) ignoreContinue(socket)
        callback(...([error, socket] as Parameters<typeof callback>))
      }),
  })
}

const statusContinue = Buffer.from('HTTP/1.1 100')

/**
 * If the status 100 arrives before a response, replaces it with the status 102. undici closes the connection after an unexpected 100, but
 * ignores a 102. A client must ignore both statuses (RFC 9110, section 15.2).
 */
function ignoreContinue(socket: Socket): void {
  const read = socket.read.bind(socket)
  const isContinue = (chunk: Buffer, at: number) =>
    chunk.subarray(at, at + statusContinue.length).equals(statusContinue)
  // Number of bytes that were sent before the latest response. It shows where this response starts. Only the start is changed, because the
  // same text can also occur in the data that follows.
  let answered = 0
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || socket.bytesWritten === answered) return chunk
    if (!isContinue(chunk, 0)) answered = socket.bytesWritten
    for (let at = 0; isContinue(chunk, at); at = chunk.indexOf('\r\n\r\n', at) + 4)
      chunk.write('2', at + statusContinue.length - 1)
    return chunk
  }
}

type Connector = buildConnector.connector

/** Opens tunnels without undici's ProxyAgent, because ProxyAgent retries forever if the proxy closes the connection. */
function throughProxy(
  proxy: URL,
  connect: Connector,
  { ca, timeoutMs }: { ca: string[] | undefined; timeoutMs: number },
): Connector {
  return (options, callback) => {
    const service = new URL(`${options.protocol}//${options.host ?? options.hostname}`)
    openTunnel(service, proxy, { signal: AbortSignal.timeout(timeoutMs), ca }).then(
      (httpSocket) => connect({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    )
  }
}

/**
 * The certificate authorities from Node, SSL_CERT_FILE, and NODE_EXTRA_CA_CERTS. Undefined without SSL_CERT_FILE: Node reads
 * NODE_EXTRA_CA_CERTS itself, but only if no list is passed to Node.
 */
function authorities(env: Environment): string[] | undefined {
  const named = env['SSL_CERT_FILE'] ? readAuthorities(env['SSL_CERT_FILE'], 'SSL_CERT_FILE') : undefined
  if (named === undefined) return undefined
  const extra = env['NODE_EXTRA_CA_CERTS']
  return [...rootCertificates, named, ...(extra ? [readAuthorities(extra, 'NODE_EXTRA_CA_CERTS')] : [])]
}

function readAuthorities(file: string, variable: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw unusable(variable, `cannot read ${file}`, cause)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw unusable(variable, `${file} contains no PEM certificate`)
}

function unusable(variable: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${variable}: ${problem}`, {
    hint: `Set ${variable} to the path of a PEM certificate file, or unset it.`,
    cause,
  })
}
