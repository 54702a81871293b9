import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { firstOfEach, usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine } from '../helpers/facescan.ts'

/** Returns a list of all ports to which this process connects during the test. The list grows during the test. */
function watchConnections(): number[] {
  const ports: number[] = []
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => ports.push(socket.remotePort ?? 0))
  }
  subscribe('net.client.socket', add)
  onTestFinished(() => void unsubscribe('net.client.socket', add))
  return ports
}

test('a command with the built-in sandbox opens no network connection', async () => {
  const ports = watchConnections()
  const { facescan, home } = createMachine()
  const place = (name: string) => join(home, name)
  writeInputFiles(home)
  for (const line of ['users create 4711', 'sandbox scan 4711 --count 30']) await facescan(line)
  const examples = firstOfEach(await usableExamples()).filter(({ line }) => !/ACME|:\/\//.test(line))
  const codes: number[] = []
  for (const { line } of examples)
    codes.push((await facescan(wordsOf(line, { input: place, output: place }))).exitCode)
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(25)
  expect(ports).toEqual([])
})

test('a command opens network connections only to the service', async () => {
  const { facescan, home } = createMachine()
  const place = (name: string) => join(home, name)
  writeInputFiles(home)
  const sandbox = await startSandbox({ strict: true, database: join(home, 'service.sqlite') })
  const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
  await facescan('users create 4711', { env })
  const ports = watchConnections()
  const examples = firstOfEach(await usableExamples()).filter(({ line }) => !/ACME|:\/\//.test(line))
  const codes: number[] = []
  for (const { line } of examples)
    codes.push((await facescan(wordsOf(line, { input: place, output: place }), { env })).exitCode)
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(25)
  expect(new Set(ports)).toEqual(new Set([Number(new URL(sandbox.url).port)]))
  await sandbox.close()
})

test.each(['https://api.example', 'https://api.example:8443/v3/'])(
  'if no key is set for the base URL %s, a command exits with 3 and names the origin',
  async (url) => {
    const { origin } = new URL(url)
    const refused = await createMachine().facescan('users get 4711', { env: { FACESCAN_BASE_URL: url } })
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' })
    expect(refused.stderr).toContain(`error: no API key for ${origin}\n`)
  },
)
