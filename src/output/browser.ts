import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'

/**
 * Opens a signed URL in the browser. All users of a machine can see its command lines, so the browser gets a local address
 * that redirects to the URL once.
 */
export async function openInBrowser(
  url: string,
  { env, signal, timeoutMs }: { env: Environment; signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  if (!/^https?:\/\//i.test(url))
    throw new ConfigurationError('the service returned a link that is not an HTTP address')
  const path = `/${randomUUID()}`
  const { server, fetched } = createRedirect(url, path)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const failed = startBrowser(`http://127.0.0.1:${port}${path}`, env)
    await Promise.race([fetched, failed, timeOut(timeoutMs, signal)])
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function createRedirect(url: string, path: string): { server: Server; fetched: Promise<void> } {
  let isDone = false
  const { promise: fetched, resolve } = withResolvers()
  const server = createServer((request, response) => {
    const isExpected = request.method === 'GET' && request.url === path && !isDone
    if (!isExpected) return void response.writeHead(404).end()
    isDone = true
    response.writeHead(302, { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    response.end(resolve)
  })
  return { server, fetched }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Rejects if the browser cannot be started. Never resolves, because a browser can stay open for days. */
function startBrowser(address: string, env: Environment): Promise<never> {
  const [program = '', ...args] = browserCommand(address, env)
  const child = spawn(program, args, { env: { ...env }, detached: true, stdio: 'ignore', windowsHide: true })
  child.unref()
  return new Promise((_, reject) => {
    const fail = () => reject(noBrowser('could not start a browser'))
    child.on('error', fail)
    child.on('exit', (exitCode) => {
      if (exitCode !== 0) fail()
    })
  })
}

/** BROWSER is a program with optional arguments, in which `%s` is replaced with the address. */
export function browserCommand(
  address: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const words = env['BROWSER']?.split(':')[0]?.split(' ').filter(Boolean) ?? []
  if (words.some((word) => word.includes('%s'))) return words.map((word) => word.replaceAll('%s', address))
  if (words.length > 0) return [...words, address]
  if (platform === 'darwin') return ['open', address]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address]
  return ['xdg-open', address]
}

function timeOut(timeoutMs: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(noBrowser('the browser did not open the link in time')), timeoutMs)
    timer.unref()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function noBrowser(message: string): ConfigurationError {
  return new ConfigurationError(message, { hint: 'Use --qr or --copy, or set BROWSER to a browser program.' })
}
