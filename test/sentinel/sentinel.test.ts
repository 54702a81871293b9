import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { outputFormats } from '../../src/output/settings.ts'
import { createMachine, type Machine, type Ran, type RunOptions } from '../helpers/facescan.ts'
import { type HostileServer, hostileServer, type RawRequest, reply } from '../helpers/hostile-server.ts'
import { sample } from '../helpers/sample.ts'
import { type Service, startService } from '../helpers/service.ts'
import { commandLines, type Marked, resultIsCredential } from './command-lines.ts'

const externalUserId = 'sentinel-person-4711'
const birthDate = '1931-07-19'
const wrongKey = 'sentinel!wrong-key.of_40@characters.0123'

let service: Service
let echo: HostileServer
let machine: Machine
let marked: Marked

const inProduction = ['-p', 'ACME', '--confirm=ACME', '--retries', '0', '--no-input']

/** A service that quotes the request in its errors, in every error format that services use. */
function echoAll({ index, target, headers, body }: RawRequest) {
  const everything = `${target} ${JSON.stringify(headers)} ${body}`
  const answers = [
    reply(400, { detail: `unacceptable: ${everything}` }),
    reply(401, { detail: `key ${headers['x-api-key'] ?? headers['authorization']} is unknown` }),
    reply(422, { detail: [{ loc: ['header', headers['x-api-key'] ?? 'none'], msg: everything, type: 'x' }] }),
    reply(500, `<html><title>${everything}</title></html>`, { 'content-type': 'text/html' }),
    reply(503, `failed at ${everything}`, { 'x-request-id': headers['x-api-key'] ?? 'none' }),
    reply(302, '', { location: `https://elsewhere.example/?key=${headers['x-api-key']}` }),
    reply(200, `not JSON: ${everything}`),
  ]
  return answers[index % answers.length]!
}

beforeAll(async () => {
  service = await startService()
  echo = await hostileServer(echoAll)
  machine = createMachine()
  const keyFile = join(machine.home, '..', `${machine.home.split('/').at(-1)}-key`)
  await writeFile(keyFile, service.keys.production.key)
  const add = `profiles add ACME --key-file ${keyFile} --base-url ${service.url} --store file`
  expect((await machine.facescan(add)).exitCode).toBe(0)
  const create = [
    'users',
    'create',
    '--external-user-id',
    externalUserId,
    '--birth-date',
    birthDate,
    '--json',
  ]
  const created = await machine.facescan([...create, ...inProduction])
  const userId: string = JSON.parse(created.stdout).user_id
  await machine.facescan(['sandbox', 'scan', '--user-id', userId, '--db', service.database, '--count', '3'])
  const scans = await machine.facescan(['biomarkers', 'latest', '--user-id', userId, '-p', 'ACME', '--json'])
  marked = {
    home: machine.home,
    serviceUrl: service.url,
    externalUserId,
    userId,
    scanId: JSON.parse(scans.stdout)[0].face_scan_id,
    birthDate,
    keyFile,
    importFile: `${keyFile}-answers.csv`,
  }
  await writeFile(
    marked.importFile,
    `external_user_id,lookup_key,value,timezone\n${externalUserId},weight,80,UTC\n${externalUserId},height,x,UTC\n`,
  )
})

afterAll(async () => {
  await service.close()
  await echo.close()
})

/** Every credential in the text: the test keys (valid or wrong, plain or encoded), and any text that looks like an action token. */
function credentialsIn(text: string): string[] {
  const keys = [service.keys.production.key, service.keys.development.key, wrongKey]
  const forms = keys.flatMap((key) => [key, encodeURIComponent(key), Buffer.from(key).toString('base64')])
  return [...forms.filter((form) => text.includes(form)), ...(text.match(/eyJ[\w-]{10,}/g) ?? [])]
}

function personIn(text: string): string[] {
  const plain = marked.userId.replaceAll('-', '')
  return [externalUserId, birthDate, marked.userId, plain].filter((name) => text.includes(name))
}

/** Every file in the home directory, except the files for keys and personal data. */
function filesOf(home: string): { path: string; text: string }[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/keys-(production|development)\.json$|sandbox\.db/.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
}

function expectNoCredential(words: readonly string[], { stdout, stderr, exitCode }: Ran): void {
  const name = words.join(' ')
  expect(credentialsIn(stderr), `stderr of ${name}: ${stderr}`).toEqual([])
  if (exitCode === 0 && resultIsCredential(words)) return
  expect(credentialsIn(stdout), `stdout of ${name}: ${stdout}`).toEqual([])
}

/** Number of calls of `runAll` so far. In `npm test`, each call runs a different sample of the command lines. */
let sweeps = 0

async function runAll(extra: readonly string[], options: RunOptions = {}): Promise<[string[], Ran][]> {
  const runs: [string[], Ran][] = []
  for (const line of sample(commandLines(marked), 4, sweeps++)) {
    const words = [...line, ...extra]
    runs.push([words, await machine.facescan(words, options)])
  }
  return runs
}

/** Sets the base URL of the profile until the end of the current test. */
async function useService(url: string): Promise<void> {
  const set = (to: string) => machine.facescan(`profiles set ACME --base-url ${to} --confirm=ACME`)
  expect((await set(url)).exitCode).toBe(0)
  onTestFinished(async () => void (await set(service.url)))
}

describe('secrets in output and files', () => {
  test.each(outputFormats)(
    'stderr contains no credential and no personal data except user IDs with -o %s',
    async (format) => {
      for (const [words, ran] of await runAll(['-o', format, ...inProduction])) {
        expectNoCredential(words, ran)
        // This check is skipped for imports: their errors for invalid rows contain the user ID on purpose, so that the row can be found in
        // the file.
        if (words[1] === 'import') continue
        // A message can repeat an ID from the command line. Such an ID is not treated as a leak.
        const typed = words.join(' ')
        const revealed = personIn(ran.stderr).filter((name) => !typed.includes(name))
        expect(revealed, `stderr of ${words.join(' ')}: ${ran.stderr}`).toEqual([])
      }
    },
  )

  test('a trace and a curl command contain no credential', async () => {
    for (const [words, ran] of await runAll(['--debug', '--curl', ...inProduction])) {
      expectNoCredential(words, ran)
    }
  })

  test('an error that contains the request shows no credential', async () => {
    await useService(echo.url)
    for (const _ of echoAnswers) {
      for (const [words, ran] of await runAll(['--debug', '--curl', ...inProduction])) {
        expectNoCredential(words, ran)
      }
    }
  })

  test('the error for an unreachable service contains no credential', async () => {
    await useService('http://127.0.0.1:9')
    for (const [words, ran] of await runAll(['--debug', '--json', ...inProduction]))
      expectNoCredential(words, ran)
  })

  test.each([
    ['a rejected key', () => ['--key-file', `${marked.keyFile}-wrong`], {}],
    ['an action token instead of a key', () => ['--action-token', `${marked.keyFile}-token`], {}],
    ['a base URL of another service', () => [], { FACESCAN_BASE_URL: 'http://127.0.0.1:9' }],
    ['a conflicting key in the environment', () => [], { FACESCAN_API_KEY: wrongKey }],
    [
      'a token in the environment',
      () => [],
      { FACESCAN_ACTION_TOKEN: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln' },
    ],
  ])('no credential is printed if a command gets %s', async (_, extra, env) => {
    await writeFile(`${marked.keyFile}-wrong`, wrongKey)
    await writeFile(`${marked.keyFile}-token`, 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln')
    for (const [words, ran] of await runAll([...extra(), '--debug', '--json', ...inProduction], { env })) {
      if (words.includes('--key-file') && words[0] === 'profiles') continue
      expectNoCredential(words, ran)
    }
  })

  test.each([
    [`--api-key=${wrongKey}`],
    ['--api-key', wrongKey],
    ['--key-file', wrongKey],
    ['--action-token', wrongKey],
    ['--action-token', 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln'],
  ])('a credential that was passed to the wrong flag is not printed (%s)', async (...typed) => {
    for (const [words, ran] of await runAll([...typed, ...inProduction])) expectNoCredential(words, ran)
  })

  test.each(['FACESCAN_API_KEY_FILE', 'FACESCAN_PROFILE', 'FACESCAN_OUTPUT', 'FACESCAN_BASE_URL'])(
    'no credential in the variable %s is printed',
    async (variable) => {
      for (const command of ['status', 'status --json', 'doctor --json', 'users get --external-user-id 1']) {
        const ran = await machine.facescan(command, { env: { [variable]: wrongKey } })
        expect(credentialsIn(ran.stdout + ran.stderr), `${command}: ${ran.stdout}${ran.stderr}`).toEqual([])
      }
    },
  )

  test('a credential that is entered instead of a command or a profile is not printed', async () => {
    const places = [[], ['--key', wrongKey, 'status'], ['users'], ['status', '-p'], ['profiles', 'show']]
    for (const words of places.map((before) => [...before, wrongKey])) {
      const { stdout, stderr } = await machine.facescan(words)
      expect(credentialsIn(stdout + stderr)).toEqual([])
    }
  })

  test('no credential and no personal data is printed after a crash', async () => {
    const broken = {
      now: Date.now,
      monotonic: Date.now,
      sleep: () =>
        Promise.reject(new TypeError(`${service.keys.production.key} ${externalUserId} ${birthDate}`)),
    }
    const env = { FACESCAN_BASE_URL: echo.url, FACESCAN_API_KEY: wrongKey }
    const crashed: [string[], Ran][] = []
    for (const _ of echoAnswers) {
      const words = ['users', 'get', externalUserId, '--retries', '1']
      crashed.push([words, await machine.facescan(words, { env, clock: broken })])
    }
    expect(crashed.some(([, { exitCode }]) => exitCode === 1)).toBe(true)
    for (const [words, ran] of crashed) expectNoCredential(words, ran)
  })

  test('the written files contain no credential and no personal data, except user IDs in the audit log', () => {
    const files = filesOf(machine.home)
    expect(files.map(({ path }) => path).join()).toMatch(
      /history-[^,]*ndjson.*facescan-support|facescan-support.*history-[^,]*ndjson/,
    )
    expect(files.map(({ path }) => path).join()).toContain('crashes')
    for (const { path, text } of files) {
      expect(credentialsIn(text), path).toEqual([])
      // The audit log contains user IDs on purpose. User IDs in this log are therefore not reported as leaks.
      const found = personIn(text).filter(
        (name) => !path.includes('history-') || !name.includes(marked.userId),
      )
      expect(found, path).toEqual([])
    }
  })
})

const echoAnswers = Array.from({ length: 7 })
