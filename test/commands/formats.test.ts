import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { safeParse } from 'zod'
import { allNouns, leavesOf } from '../../src/tree/tree.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

const commands = new Map(leavesOf(allNouns()))
let machine: Machine
let scanId: string
let answersFile: string
let importId: string
let keyFile: string

const user = '--external-user-id 4711'

beforeAll(async () => {
  machine = createMachine()
  await machine.facescan(`users create ${user} --sex F`)
  await machine.facescan(`sandbox scan ${user} --count 3 --seed 7`)
  await machine.facescan(`answers save height 170 ${user} --timezone UTC`)
  answersFile = join(machine.home, 'answers.csv')
  writeFileSync(answersFile, 'external_user_id,lookup_key,value,timezone\n4711,weight,80,UTC\n')
  keyFile = join(machine.home, 'key')
  writeFileSync(keyFile, 'a-key-of-the-service-that-is-not-real-4711', { mode: 0o600 })
  await machine.facescan(`answers import ${answersFile}`)
  importId = JSON.parse((await machine.facescan('imports list --json')).stdout)[0].id
  scanId = JSON.parse((await machine.facescan(`biomarkers latest ${user} --json`)).stdout)[0].face_scan_id
})

/** A line for every command whose result is data that a program may ask for. */
const lines: Readonly<Record<string, string>> = {
  'users create': `${user} --if-not-exists`,
  'users get': user,
  'users update': `${user} --language nl`,
  'users delete': '--external-user-id gone --yes',
  'scan-url': user,
  'dashboard-url': user,
  token: user,
  'biomarkers list': user,
  'biomarkers latest': user,
  'biomarkers get': `SCAN ${user}`,
  'biomarkers compare': `--before 2026-01-01 --after 2026-01-01 ${user}`,
  metrics: user,
  wellbeing: user,
  summary: `mental ${user}`,
  recommendations: user,
  'answers keys': '',
  'answers list': user,
  'answers save': `height 170 ${user} --timezone UTC`,
  'answers import': `ANSWERS --again --yes`,
  'imports list': '',
  'imports show': 'IMPORT',
  'imports merge': 'FOLDER',
  'imports remove': 'IMPORT',
  'profiles add': 'ACME-DEV --replace --no-verify --base-url http://127.0.0.1:9 --key-file KEY',
  'profiles set': 'ACME-DEV --protect confirm --yes',
  'profiles unlock': 'ACME-DEV --for 1m --reason test',
  'profiles use': 'SANDBOX-DEV',
  'profiles remove': 'ACME-DEV --yes',
  'profiles list': '',
  'profiles show': 'SANDBOX-DEV',
  status: '',
  'history list': '',
  'history verify': '',
  'sandbox scan': `${user} --count 1`,
  'sandbox key': '',
  'sandbox status': '',
  api: `GET /v2/users?external_user_id=4711`,
  'widgets biomarker': `heart_rate --face-scan-id SCAN ${user}`,
  'widgets metric': `sleep_quality ${user}`,
  'widgets graph': `heart_rate ${user}`,
  doctor: '',
  schema: '',
  completion: 'bash',
  help: 'users create',
  'sandbox openapi': '',
  'sandbox reset': '--yes',
}

const excused: Readonly<Record<string, string>> = {
  'imports resume': 'needs an import that was stopped, and prints what answers import prints',
  'profiles move-key': 'needs a production key, and prints what profiles show prints',
  'sandbox serve': 'goes on until it is stopped',
  'ce-label': 'gives bytes',
  demo: 'is a tour for people',
}

test('a completion is for the shell, whatever FACESCAN_OUTPUT says', async () => {
  const plain = await machine.facescan('completion bash')
  const env = { FACESCAN_OUTPUT: 'json' }
  expect((await machine.facescan('completion bash', { env })).stdout).toBe(plain.stdout)
  expect(JSON.parse((await machine.facescan('completion bash --json')).stdout)).toBe(plain.stdout)
})

test('every command is covered', () => {
  const missing = leavesOf(allNouns())
    .map(([name]) => name)
    .filter((name) => !(name in lines) && !(name in excused))
  expect(missing).toEqual([])
})

/** What must be there for a command that takes it away or changes it. */
async function prepare(name: string): Promise<void> {
  if (name === 'users delete') await machine.facescan('users create --external-user-id gone')
  if (name === 'imports remove') {
    await machine.facescan(`answers import ${answersFile} --again --yes`)
    importId = JSON.parse((await machine.facescan('imports list --json')).stdout)[0].id
  }
  if (/^profiles (set|unlock|remove)$/.test(name)) {
    await machine.facescan(`profiles add ${lines['profiles add']!.replace('KEY', keyFile)}`)
    await machine.facescan('profiles set ACME-DEV --protect read-only')
  }
}

async function output(name: string, flags: string): Promise<string> {
  await prepare(name)
  const line = `${name} ${lines[name]} ${flags}`
    .replace('SCAN', scanId)
    .replace('ANSWERS', answersFile)
    .replace('IMPORT', importId)
    .replace('FOLDER', machine.home)
    .replace('KEY', keyFile)
  const { exitCode, stdout, stderr } = await machine.facescan(line)
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout
}

describe.each(Object.keys(lines))('%s is readable from its first byte', (name) => {
  test('as JSON, also through jq', async () => {
    const value = JSON.parse(await output(name, '-o json'))
    const { default: command } = await commands.get(name)!.load()
    const schema = await command.schema()
    expect(safeParse(schema, value).error?.issues ?? []).toEqual([])
    // A text goes through jq without its quotes.
    if (typeof value === 'string') return
    const through = JSON.parse(await output(name, '--jq .'))
    expect(Object.keys(through ?? {})).toEqual(Object.keys(value ?? {}))
  })

  test('as ndjson, one value a line', async () => {
    const values = (await output(name, '-o ndjson')).split('\n').slice(0, -1)
    expect(values.map((line) => JSON.parse(line) !== undefined)).not.toContain(false)
  })

  test('as CSV and TSV, every record as long as its heading', async () => {
    const csv = parse(await output(name, '-o csv'), { record_delimiter: '\r\n' }) as string[][]
    const tsv = (await output(name, '-o tsv'))
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'))
    expect(csv.length).toBeGreaterThan(0)
    expect(new Set([...csv, ...tsv].map((record) => record.length)).size).toBe(1)
    expect(tsv.length).toBe(csv.length)
  })
})

test.each(['--json', '-o json', '-o ndjson', '-o csv', '-o tsv', '--jq .'])(
  'with %s a failure leaves stdout empty and ends stderr with one line of JSON',
  async (flags) => {
    const { exitCode, stdout, stderr } = await machine.facescan(
      `users get --external-user-id nobody ${flags}`,
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found', status: 404, exit_code: 4 } })
  },
)
