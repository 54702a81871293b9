import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../src/contract/index.ts'
import { openApi } from '../../src/contract/openapi.ts'
import { openStore } from '../../src/sandbox/index.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { recordScans } from '../../src/sandbox/synthetic.ts'
import { createMachine } from '../helpers/facescan.ts'
import { installTools, runTool, toolFolder } from './tools.ts'

let folder: string
let sandbox: Sandbox
let proxy: ChildProcess | undefined
const requests: string[] = []
const document = join(toolFolder, 'openapi.json')

beforeAll(async () => {
  installTools()
  writeFileSync(document, JSON.stringify(openApi('1.0.0', 'https://api.facescan.test')))
  folder = mkdtempSync(join(tmpdir(), 'facescan-openapi-'))
  sandbox = await startSandbox({
    strict: true,
    database: join(folder, 'db.sqlite'),
    log: (line) => requests.push(line),
  })
})

afterAll(async () => {
  proxy?.kill('SIGKILL')
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

it('the OpenAPI file passes the rules of Redocly, except for two paths with a trailing slash', () => {
  const exceptions = ['#/paths/~1v2~1users~1', '#/paths/~1v2~1face-scans~1']
  const ignored = `openapi.json:\n  no-path-trailing-slash:\n${exceptions.map((path) => `    - '${path}'\n`).join('')}`
  writeFileSync(join(toolFolder, '.redocly.lint-ignore.yaml'), ignored)
  runTool('redocly', 'lint', '--extends', 'recommended', 'openapi.json')
})

it('the OpenAPI file passes the rules of Spectral without errors', () => {
  writeFileSync(join(toolFolder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n')
  runTool('spectral', 'lint', 'openapi.json', '--ruleset', 'ruleset.yaml', '--fail-severity', 'error')
})

it('a client generated from the OpenAPI file compiles with --strict and works with the sandbox', async () => {
  runTool('openapi-typescript', 'openapi.json', '--output', 'types.d.ts')
  const source = readFileSync('test/release/openapi-client.ts', 'utf8').replace('// @ts-nocheck\n', '')
  writeFileSync(join(toolFolder, 'client.ts'), source)
  writeFileSync(
    join(toolFolder, 'process.d.ts'),
    'declare const process: { argv: string[]; stdout: { write(text: string): void } }\n',
  )
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: [] }
  const files = ['client.ts', 'process.d.ts']
  writeFileSync(join(toolFolder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  runTool('tsc')
  // The sandbox runs in this process. execFileSync would block it.
  const args = [join(toolFolder, 'client.js'), sandbox.url, sandbox.keys.development.key]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({
    userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    wrong: 'function',
    detail: 'user not found',
  })
})

/** Starts a proxy that compares each request and response with the OpenAPI file. A violation becomes an error. */
async function startValidatingProxy(): Promise<string> {
  const port = 20_000 + (process.pid % 20_000)
  const args = ['proxy', document, sandbox.url, '--errors', '--port', String(port), '--host', '127.0.0.1']
  proxy = spawn(join(toolFolder, 'node_modules/.bin/prism'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for (;;) {
    const [chunk] = await once(proxy.stdout!, 'data')
    if (String(chunk).includes('listening')) break
  }
  proxy.stdout!.resume()
  return `http://127.0.0.1:${port}`
}

it('a proxy that checks requests and responses against the OpenAPI file finds no violation', async () => {
  const url = await startValidatingProxy()
  const { development } = sandbox.keys
  const machine = createMachine({ FACESCAN_BASE_URL: url, FACESCAN_API_KEY: development.key })
  const run = async (line: string, env: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await machine.facescan(`${line} --strict --yes`, { env })
    expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      line,
      exitCode: 0,
      stderr: '',
    })
    return stdout.trim()
  }
  await run('users create 4711 --sex F --birth-date 1984-02-29 --language nl --unit-system metric')
  await run('users create 4712')
  await run('users get 4711')
  const store = await openStore(join(folder, 'db.sqlite'))
  recordScans(store, { user: { external_user_id: '4711' }, count: 12, days: 12, seed: 1, now: Date.now() })
  store.close()
  const [{ face_scan_id }] = JSON.parse(await run('biomarkers latest 4711 --json'))
  const answers = join(folder, 'answers.csv')
  writeFileSync(answers, 'external_user_id,lookup_key,value,timezone\n4711,weight,80,UTC\n4711,age,40,UTC\n')
  const lines = [
    'users get 4711',
    'users update 4711 --sex M',
    'biomarkers list 4711 --limit 3 --order desc --start 2026-01-01',
    'biomarkers latest 4711 --count 2',
    `biomarkers get ${face_scan_id} --external-user-id 4711`,
    'biomarkers compare 4711 --before 2026-01-01 --after 2026-01-01',
    'metrics 4711',
    'metrics 4712',
    'wellbeing 4711',
    'summary mental --external-user-id 4711',
    'recommendations 4711 --language fr',
    'answers keys',
    'answers save weight=70 --external-user-id 4711 --timezone UTC',
    'answers list 4711 --all',
    `answers import ${answers}`,
    'scan-url 4711 --language da --expire-at 2099-01-01T00:00:00',
    'dashboard-url 4711 --disable todos',
    'token 4711',
    `widgets biomarker heart_rate --face-scan-id ${face_scan_id} --external-user-id 4711`,
    'widgets metric sleep_quality --external-user-id 4711',
    'widgets metric sleep_quality --external-user-id 4712',
    'widgets graph heart_rate --external-user-id 4711',
    // This command replaces `ce-label`, which would fail because Prism damages the image. `doctor --network` ignores the image.
    'doctor --network',
    'users delete 4712',
  ]
  const token = await run('token 4711')
  await run('answers save smoking=0 --timezone UTC', { FACESCAN_ACTION_TOKEN: token })
  for (const line of lines) await run(line)
  const called = new Set(requests.map((line) => line.split(' ').slice(0, 2).join(' ')))
  const expected = endpoints().map(([, { method, path }]) => `${method} ${path}`)
  expect(expected.filter((route) => !called.has(route))).toEqual([])
}, 300_000)
