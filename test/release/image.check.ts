import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { createAuthority } from '../helpers/certificates.ts'
import { buildImage, findObstacle, user } from './image.ts'

const ids = Array.from({ length: 40 }, (_, index) => String(4700 + index))

const obstacle = findObstacle()
if (obstacle) process.stderr.write(`skipped in test/release/image.check.ts: ${obstacle}\n`)

let folder: string
/** The root directory of the image's files. */
let root: string
let sandbox: Sandbox
let https: Server
let port: number

beforeAll(async () => {
  if (obstacle) return
  folder = mkdtempSync(join(tmpdir(), 'facescan-image-'))
  root = buildImage(folder)
  // In a cluster, the container engine creates these mount points.
  for (const name of ['data', 'spool', 'secrets', 'ca']) mkdirSync(join(root, name))
  sandbox = await startSandbox({ database: join(folder, 'sandbox.db') })
  await Promise.all(ids.map(createUser))
  await serveHttps()
}, 600_000)

afterAll(async () => {
  if (obstacle) return
  https?.close()
  await sandbox?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Serves the sandbox as https://service.example, with its own certificate authority. */
async function serveHttps(): Promise<void> {
  const authority = await createAuthority('image check')
  mkdirSync(join(folder, 'ca'))
  writeFileSync(join(folder, 'ca/ca.pem'), authority.cert)
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost service.example\n')
  const target = Number(new URL(sandbox.url).port)
  https = createServer(await authority.issue(['service.example']), (socket) => {
    const upstream = connect(target, '127.0.0.1')
    for (const stream of [socket, upstream]) stream.on('error', () => undefined)
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve))
  port = (https.address() as AddressInfo).port
}

interface Result {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command line in the image as a normal user. Only the directories in `volumes` are writable. */
function run(
  words: readonly string[],
  env: Record<string, string> = {},
  volumes: readonly string[] = [],
): Promise<Result> {
  const drop = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])
  const mounts = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev']
  const files = ['--ro-bind', join(folder, 'ca'), '/ca', '--ro-bind', join(folder, 'hosts'), '/etc/hosts']
  const variables = { HOME: '/home/node', PATH: '/usr/local/bin:/usr/bin:/bin', ...env }
  const sets = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])
  const identity = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--bounding-set=-all']
  return new Promise((resolve) =>
    execFile(
      'bwrap',
      [
        ...['--unshare-pid', ...drop, ...mounts, ...files, ...volumes, '--clearenv', ...sets],
        ...['setpriv', ...identity, '--inh-caps=-all', '--no-new-privs', 'facescan', ...words],
      ],
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}

interface Container {
  args: string[]
  env: { name: string; value: string }[]
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}

interface Job {
  spec: {
    completions: number
    template: { spec: { containers: [Container]; securityContext: { runAsUser: number; fsGroup: number } } }
  }
}

/** Runs every pod of a job with its own arguments, variables, and volumes. `data` contains the files in the volume named data. */
async function runJob(name: string, data: Record<string, string>): Promise<{ pods: Result[]; data: string }> {
  const { spec } = parse(readFileSync(join('examples/jobs', name), 'utf8'), { version: '1.1' }) as Job
  const [container] = spec.template.spec.containers
  const { runAsUser, fsGroup } = spec.template.spec.securityContext
  expect(runAsUser).toBe(user)
  const volume = mkdtempSync(join(folder, 'job-'))
  const mounted = container.volumeMounts.map(({ name: mount }) => join(volume, mount))
  for (const path of mounted) createVolume(path, fsGroup)
  for (const [file, text] of Object.entries(data)) writeFileSync(join(volume, 'data', file), text)
  const key = join(volume, 'key', 'api-key')
  writeFileSync(key, sandbox.keys.production.key)
  chownSync(key, 0, fsGroup)
  // Kubernetes adds read access for the group of the volume to mode 0400.
  chmodSync(key, 0o440)
  const volumes = container.volumeMounts.flatMap(({ mountPath, readOnly }, index) => [
    ...[readOnly ? '--ro-bind' : '--bind', mounted[index] ?? '', mountPath],
  ])
  const pods: Result[] = []
  for (let index = 0; index < spec.completions; index += 1) {
    const own = container.env.map(({ name: variable, value }) => [variable, value])
    const env: Record<string, string> = { ...Object.fromEntries(own), JOB_COMPLETION_INDEX: String(index) }
    const url = `${env['FACESCAN_BASE_URL']}:${port}`
    const words = container.args.map((arg) => arg.replace('$(JOB_COMPLETION_INDEX)', String(index)))
    const service = { FACESCAN_BASE_URL: url, NODE_EXTRA_CA_CERTS: '/ca/ca.pem' }
    pods.push(await run(words, { ...env, ...service }, volumes))
  }
  return { pods, data: join(volume, 'data') }
}

/** Creates a volume of a pod. The group of the volume is `fsGroup`, as in Kubernetes. */
function createVolume(path: string, group: number): void {
  mkdirSync(path)
  chownSync(path, 0, group)
  chmodSync(path, 0o2775)
}

describe.skipIf(obstacle !== '')('the container image on a read-only file system, without privileges', () => {
  test('the container image prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('the container image runs commands in the built-in sandbox, and keeps the state in a volume', async () => {
    const state = join(folder, 'state')
    mkdirSync(state)
    chownSync(state, user, user)
    const onVolume = (line: string) =>
      run([...line.split(' '), '--profile=SANDBOX-DEV'], { FACESCAN_STATE_DIR: '/data/facescan' }, [
        '--bind',
        state,
        '/data',
      ])
    expect(await onVolume('users create 4711')).toMatchObject({ code: 0 })
    expect(await onVolume('users get 4711 --jq .customer')).toMatchObject({ stdout: 'Acme Wellness\n' })
    const refused = await run(['users', 'create', '4711', '--profile=SANDBOX-DEV'])
    expect(refused).toMatchObject({ code: 13, stderr: expect.stringContaining('FACESCAN_STATE_DIR') })
  })

  test('the container image runs every pod of the Kubernetes example for a list of users', async () => {
    const staff = ['external_user_id', ...ids].join('\n')
    const { pods, data } = await runJob('users-kubernetes.yaml', { 'staff.csv': staff })
    for (const { code, stderr } of pods) expect(code, stderr).toBe(0)
    const files = readdirSync(data).filter((name) => name.startsWith('metrics-'))
    const rows = files.map((name) => readFileSync(join(data, name), 'utf8').trim().split('\n').length - 1)
    expect({ files: files.length, rows: sum(rows) }).toEqual({ files: 4, rows: ids.length })
  })

  test('each pod of the Kubernetes example for an import runs with the container image', async () => {
    const answers = ['external_user_id,lookup_key,value,timezone', ...ids.map((id) => `${id},weight,80,UTC`)]
    const { pods, data } = await runJob('kubernetes.yaml', { 'answers.csv': answers.join('\n') })
    for (const { code, stderr } of pods) expect(code, stderr).toBe(0)
    const merged = await run(['imports', 'merge', '/data', '--jq=.accepted'], {}, [
      ...['--ro-bind', join(data, 'results'), '/data'],
    ])
    expect(merged).toMatchObject({ code: 0, stdout: `${ids.length}\n` })
  })
})

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function createUser(id: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': sandbox.keys.production.key }
  const body = JSON.stringify({ external_user_id: id })
  const { status } = await fetch(`${sandbox.url}/v2/users`, { method: 'POST', headers, body })
  expect(status).toBe(201)
}
