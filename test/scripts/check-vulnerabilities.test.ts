import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

/** Runs the check against a registry on this machine that answers the request for advisories. */
async function checkAgainst(answer: RequestListener): Promise<{ code: number; output: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const child = spawn(process.execPath, ['scripts/check-vulnerabilities.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' },
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  server.close()
  return { code, output }
}

test('passes if the registry has no advisory for the packages', async () => {
  let asked = ''
  const { code, output } = await checkAgainst(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked = gunzipSync(Buffer.concat(chunks)).toString()
    response.end('{}')
  })
  expect({ code, output }).toEqual({ code: 0, output: 'No known vulnerabilities.\n' })
  expect(Object.keys(JSON.parse(asked))).toEqual(expect.arrayContaining(['undici', 'zod']))
})

test('fails and names the package if the registry has an advisory', async () => {
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'a test',
    severity: 'high',
    vulnerable_versions: '*',
  }
  const { code, output } = await checkAgainst(({ method }, response) => {
    // npm asks for the versions of the package too.
    const found = method === 'POST' ? { undici: [advisory] } : { name: 'undici', versions: {} }
    response.end(JSON.stringify(found))
  })
  expect(code).toBe(1)
  expect(output).toContain('high: undici')
})

test.each<[string, RequestListener]>([
  ['refuses', (_, response) => response.writeHead(405).end()],
  ['closes the connection', (request) => request.socket.destroy()],
])('exits with 75 and reports that nothing was checked if the registry %s', async (_, answer) => {
  const { code, output } = await checkAgainst(answer)
  expect(code).toBe(75)
  expect(output).toMatch(/^The registry did not answer, so nothing was checked: \S/)
})
