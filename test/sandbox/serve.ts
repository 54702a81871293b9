import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Keys } from '../../src/sandbox/store.ts'

const root = join(import.meta.dirname, '../..')

/** The bundle is below node_modules, where it finds the native package libsql. */
const bundle = join(root, 'node_modules/.cache/facescan-test/serve-child.mjs')
const children: ChildProcess[] = []

/** Bundles the program that `serve` starts. */
export async function buildServer(outfile = bundle): Promise<void> {
  const built = await rolldown({
    input: join(import.meta.dirname, 'serve-child.ts'),
    platform: 'node',
    external: ['libsql'],
  })
  await built.write({ file: outfile, format: 'esm', codeSplitting: false })
}

export interface Served {
  child: ChildProcess
  url: string
  keys: Keys
}

/** Starts the sandbox in its own process. */
export async function serve(
  database: string,
  { announce = false, node = process.execPath } = {},
): Promise<Served> {
  const args = [bundle, database, ...(announce ? ['announce'] : [])]
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(child.stdout!, 'data')
  return { child, ...JSON.parse(String(line)) }
}

export async function stop({ child }: Served): Promise<void> {
  child.stdin!.end()
  await once(child, 'exit')
}

export function killServers(): void {
  for (const child of children) child.kill('SIGKILL')
}

export function send(
  { url, keys }: Pick<Served, 'url' | 'keys'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { 'x-api-key': keys.production.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
