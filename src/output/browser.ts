import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { childEnvironment } from '../base/children.ts'
import { ConfigurationError } from '../base/errors.ts'
import { writeTemporary } from '../base/files.ts'
import type { Environment } from '../base/io.ts'

/**
 * Opens a signed URL in the browser. All users of the machine can see the browser's command line, so it contains only the path of a
 * private file. The file opens a local address. The local address redirects one request to the URL. No file contains the URL.
 */
export async function openInBrowser(
  url: string,
  { env, signal, timeoutMs }: { env: Environment; signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  if (!/^https?:\/\//i.test(url))
    throw new ConfigurationError('the service returned a link that is not an HTTP or HTTPS URL')
  const path = `/${randomUUID()}`
  const server = createServer()
  const fetched = redirectOnce(server, path, url)
  const folder = writeTemporary(() => mkdtempSync(join(tmpdir(), 'facescan-link-')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const page = join(folder, 'open.html')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}">`
    writeTemporary(() => writeFileSync(page, html, { mode: 0o600 }))
    const failed = startBrowser(pathToFileURL(page).href, env)
    const timedOut = sleep(timeoutMs, undefined, { signal, ref: false }).then(() => {
      throw noBrowser('the browser did not open the link in time')
    })
    await Promise.race([fetched, failed, timedOut])
  } finally {
    rmSync(folder, { recursive: true, force: true })
    server.close()
    server.closeAllConnections()
  }
}

/** Resolves when the first request for the path was redirected to the URL. */
function redirectOnce(server: Server, path: string, url: string): Promise<void> {
  let isDone = false
  return new Promise((resolve) => {
    server.on('request', (request, response) => {
      const isExpected = request.method === 'GET' && request.url === path && !isDone
      if (!isExpected) return void response.writeHead(404).end()
      isDone = true
      response.writeHead(302, {
        location: url,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      response.end(resolve)
    })
  })
}

/** Starts the browser. Rejects if the start fails. Never resolves, because a browser can stay open for days. */
function startBrowser(address: string, env: Environment): Promise<never> {
  const [program = '', ...args] = browserCommand(address, env)
  const options = { env: childEnvironment(env), detached: true, stdio: 'ignore', windowsHide: true } as const
  const child = spawn(program, args, options)
  child.unref()
  return new Promise((_, reject) => {
    const fail = () => reject(noBrowser('could not start a browser'))
    child.on('error', fail)
    child.on('exit', (exitCode) => exitCode === 0 || fail())
  })
}

/** The command that opens an address. BROWSER is a program with optional arguments, in which `%s` stands for the address. */
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

function noBrowser(message: string): ConfigurationError {
  return new ConfigurationError(message, {
    hint: 'Use --qr or --copy, or set BROWSER to the command that starts your browser.',
  })
}
