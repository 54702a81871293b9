import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Agent, EnvHttpProxyAgent } from 'undici'
import { isLoopback } from '../base-url.ts'
import { ConfigurationError } from '../errors.ts'
import type { Environment } from '../io.ts'
import type { Dispatcher } from './wire.ts'

export interface DispatcherOptions {
  baseUrl: URL
  env: Environment
  connectTimeoutMs: number
  /** Connections to one host at most. */
  connections?: number
}

/** Connections for one command: through the proxy of the environment, except to this machine itself. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const ca = authorities(options.env)
  const connect = { timeout: options.connectTimeoutMs, ...(ca && { ca }) }
  const shared = { connect, connections: options.connections ?? 8, pipelining: 1 }
  if (isLoopback(options.baseUrl.href)) return new Agent(shared)
  const proxy = (name: string) => options.env[name] ?? options.env[name.toUpperCase()]
  return new EnvHttpProxyAgent({
    ...shared,
    httpProxy: proxy('http_proxy'),
    httpsProxy: proxy('https_proxy'),
    noProxy: proxy('no_proxy'),
    requestTls: connect,
  })
}

/** `SSL_CERT_FILE` adds to the known authorities; Node reads NODE_EXTRA_CA_CERTS by itself. */
function authorities(env: Environment): string[] | undefined {
  const file = env['SSL_CERT_FILE']
  if (!file) return undefined
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')]
  } catch (error) {
    throw new ConfigurationError(`the certificates named by SSL_CERT_FILE cannot be read: ${file}`, {
      cause: error,
    })
  }
}
