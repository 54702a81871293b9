import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nodeBinary } from '../../scripts/node-binaries.js'
import { logName } from '../helpers/history.ts'
import { type HostileServer, hang, hostileServer, reply } from '../helpers/hostile-server.ts'

/** Two operating-system users share a machine: `ada` runs facescan, and `eve` attacks her files and processes. */
const users = { ada: `facescan-ada-${process.pid}`, eve: `facescan-eve-${process.pid}` }
const key = 'sentinel!key.of_ada-with_40@characters01'
const link = '"https://scan.example/plug-in?action_token=sentinel"'
const isRoot = process.getuid?.() === 0 && process.platform === 'linux'

let root: string
let program: string
let home: string
let server: HostileServer

interface Identity {
  uid: number
  gid: number
}

function identityOf(name: string): Identity {
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

function run(
  user: keyof typeof users,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  return spawnSync(command, args, {
    ...identityOf(users[user]),
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  })
}

const facescan = (line: string, env: Record<string, string> = {}) =>
  run('ada', process.execPath, [program, ...line.split(' ')], env)
const attack = (script: string) => run('eve', '/bin/sh', ['-c', script])

/** Starts the program as Ada. Does not wait for its end. */
function start(words: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...words], {
    ...identityOf(users.ada),
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
    stdio: 'ignore',
  })
}

async function stop(child: ChildProcess, when: 'now' | 'at its end' = 'now'): Promise<void> {
  const ended = once(child, 'exit')
  if (when === 'now') child.kill('SIGKILL')
  await ended
}

/** Resolves when the service has received a request for the path. */
async function arrival(path: string): Promise<void> {
  while (!server.requests.some(({ target }) => target === path)) await sleep(20)
}

/** Makes a system user the owner of the files. */
function give(user: string, ...paths: readonly string[]): void {
  const { uid, gid } = identityOf(user)
  for (const path of paths) chownSync(path, uid, gid)
}

/** A directory such as /tmp, in which all users can create files. */
function sharedFolder(): string {
  const folder = mkdtempSync(join(root, 'shared-'))
  chmodSync(folder, 0o1777)
  return folder
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

beforeAll(async () => {
  if (!isRoot) return
  for (const name of Object.values(users)) spawnSync('useradd', ['--no-create-home', name])
  root = mkdtempSync('/tmp/facescan-hostile-')
  chmodSync(root, 0o755)
  for (const name of ['bin', 'dist', 'package.json']) cpSync(name, join(root, name), { recursive: true })
  program = join(root, 'bin', 'facescan.js')
  server = await hostileServer((request) =>
    request.target.includes('slow') ? hang() : reply(201, link, { 'content-type': 'application/json' }),
  )
})

afterAll(async () => {
  if (!isRoot) return
  await server?.close()
  rmSync(root, { recursive: true, force: true })
  for (const name of Object.values(users)) spawnSync('userdel', ['-f', name])
})

beforeEach(() => {
  if (!isRoot) return
  home = mkdtempSync(join(root, 'home-'))
  give(users.ada, home)
  const add = run('ada', '/bin/sh', [
    '-c',
    `printf %s '${key}' | '${process.execPath}' '${program}' profiles add ACME --key-stdin --store file --no-verify --base-url ${server.url}`,
  ])
  expect(add.status, add.stderr).toBe(0)
  facescan('users create 4711 -p SANDBOX-DEV')
})

describe.runIf(isRoot)('another user of the machine', () => {
  test('another user cannot read or replace any file of the configuration, state, or cache', () => {
    const files = filesOf(home)
    expect(files.some((path) => path.endsWith('keys-production.json'))).toBe(true)
    expect(files.some((path) => path.includes('history-'))).toBe(true)
    chmodSync(home, 0o755)
    for (const path of files) {
      expect(attack(`cat '${path}'`).status, path).not.toBe(0)
      expect(attack(`echo x >> '${path}' || mv '${path}' '${path}.moved'`).status, path).not.toBe(0)
    }
  })

  test.each([
    ['configuration', 'XDG_CONFIG_HOME', 'profiles list'],
    ['state', 'XDG_STATE_HOME', 'profiles use ACME --yes --confirm=ACME'],
  ])('facescan refuses a %s directory that another user created', (_, variable, line) => {
    const shared = sharedFolder()
    expect(attack(`mkdir '${shared}/facescan' && chmod 777 '${shared}/facescan'`).status).toBe(0)
    const refused = facescan(line, { [variable]: shared })
    expect(refused.status, refused.stderr).toBe(13)
    expect(refused.stderr).toMatch(/owned by another user|other users can access/)
  })

  test.each(['XDG_CONFIG_HOME', 'XDG_STATE_HOME'])(
    'another user cannot choose the directory in %s with a symbolic link',
    (variable) => {
      const shared = sharedFolder()
      expect(attack(`ln -s '${home}' '${shared}/link'`).status).toBe(0)
      const refused = facescan('profiles use ACME --yes --confirm=ACME', { [variable]: `${shared}/link` })
      expect(refused.status, refused.stderr).toBe(13)
      expect(refused.stderr).toContain(`${shared}/link is owned by another user`)
    },
  )

  test('facescan refuses a sandbox database in a directory that another user created', () => {
    const shared = sharedFolder()
    expect(attack(`mkdir '${shared}/db' && chmod 777 '${shared}/db'`).status).toBe(0)
    const refused = facescan(`sandbox serve --port 0 --db ${shared}/db/sandbox.db`)
    expect(refused.status, refused.stderr).toBe(13)
    expect(refused.stderr).toContain(`${shared}/db is owned by another user`)
    expect(readdirSync(join(shared, 'db'))).toEqual([])
  })

  test.each([
    ['20', process.execPath],
    ['24', nodeBinary(24)],
  ])('another user cannot run code or delete files through the cache directory on Node %s', (major, node) => {
    const list = (cache: string) => run('ada', node, [program, 'profiles', 'list'], { XDG_CACHE_HOME: cache })
    const own = join(home, 'cache')
    expect(list(own).status).toBe(0)
    expect(existsSync(join(own, 'facescan', 'compiled')), 'Node 24 keeps compiled code').toBe(major === '24')

    const shared = sharedFolder()
    const precious = join(home, '.ssh')
    mkdirSync(precious)
    writeFileSync(join(precious, 'id'), 'precious')
    give(users.ada, precious, join(precious, 'id'))
    const links = ['code', 'compile', 'compiled', 'node'].map((name) => `ln -s '${precious}' ${name}`)
    const script = `mkdir '${shared}/facescan' && chmod 777 '${shared}/facescan' && cd '${shared}/facescan'`
    expect(attack([script, ...links].join(' && ')).status).toBe(0)
    for (const _ of ['first', 'second']) {
      const ran = list(shared)
      expect(ran.status, ran.stderr).toBe(0)
    }
    expect(readdirSync(precious)).toEqual(['id'])
    expect(readFileSync(join(precious, 'id'), 'utf8')).toBe('precious')
    expect(readdirSync(join(shared, 'facescan')).toSorted()).toEqual(['code', 'compile', 'compiled', 'node'])
  })

  test('another user cannot create lock files or temporary files in the state directory', () => {
    const state = join(home, '.local', 'state', 'facescan')
    chmodSync(home, 0o755)
    for (const name of [
      'history.lock',
      'history.key.tmp-0123456789abcdef',
      logName(),
      'history-000000001.ndjson',
    ])
      expect(attack(`mkdir '${state}/${name}'`).status, name).not.toBe(0)
    expect(facescan('profiles set ACME --protect read-only').status).toBe(0)
    expect(facescan('history list').status).toBe(0)
  })

  test('another user cannot stop an import or "users get --users" by creating files in a shared result directory', () => {
    // Node 24 includes SQLite, which the sandbox needs.
    const onSandbox = (line: string) =>
      run('ada', nodeBinary(24), [program, ...line.split(' '), '-p', 'SANDBOX-DEV'])
    expect(onSandbox('users create 4711').status).toBe(0)
    const shared = sharedFolder()
    for (const name of ['answers.rejects.csv.partial', 'answers.rejects.csv', 'users.csv.partial'])
      expect(attack(`ln -s '${home}/precious' '${shared}/${name}'`).status, name).toBe(0)
    const answers = join(home, 'answers.csv')
    writeFileSync(
      answers,
      'external_user_id,lookup_key,value,timezone\n4711,weight,80,UTC\nnobody,weight,80,UTC\n',
    )
    give(users.ada, answers)
    const imported = onSandbox(`answers import ${answers} --results ${shared}`)
    expect(imported.status, imported.stderr).toBe(10)
    expect(existsSync(join(home, 'precious'))).toBe(false)
    const listed = onSandbox(`users get --users ${answers} --out ${shared}/ada.csv`)
    expect(listed.status, listed.stderr).toBe(10)
  })

  test('root does not use the configuration, keys, or state of another user', () => {
    const asRoot = (line: string) =>
      spawnSync(process.execPath, [program, ...line.split(' ')], {
        cwd: '/',
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', HOME: home },
      })
    for (const line of ['profiles list', 'status -p ACME', 'profiles use ACME --yes --confirm=ACME']) {
      const refused = asRoot(line)
      expect(refused.status, line + refused.stdout).toBe(13)
      expect(refused.stderr).toContain('root uses only its own files')
    }
    const trusted = asRoot(`profiles list --trust-owner ${identityOf(users.ada).uid}`)
    expect(trusted.status, trusted.stderr).toBe(0)
  })

  test('root does not use a key file if its path contains a link of another user', () => {
    const own = mkdtempSync(join(root, 'root-'))
    writeFileSync(join(own, 'key'), key, { mode: 0o600 })
    const shared = sharedFolder()
    expect(attack(`ln -s '${own}/key' '${shared}/key'`).status).toBe(0)
    const env = { PATH: process.env['PATH'] ?? '', HOME: own, FACESCAN_BASE_URL: server.url }
    const words = [program, 'api', 'GET', '/v2/users', '--key-file', join(shared, 'key')]
    const refused = spawnSync(process.execPath, words, { cwd: '/', encoding: 'utf8', env })
    expect(refused.status, refused.stderr).toBe(13)
    expect(refused.stderr).toContain(`${shared}/key is owned by another user`)
  })

  test('facescan refuses a profile file that is a link into a directory of another user', () => {
    const shared = sharedFolder()
    expect(attack(`mkdir '${shared}/eve' && chmod 777 '${shared}/eve'`).status).toBe(0)
    const profiles = join(home, '.config', 'facescan', 'profiles.json')
    renameSync(profiles, join(shared, 'eve', 'profiles.json'))
    symlinkSync(join(shared, 'eve', 'profiles.json'), profiles)
    const refused = facescan('status')
    expect(refused.status, refused.stderr).toBe(13)
    expect(refused.stderr).toContain(`${shared}/eve is owned by another user`)
  })

  test('an image is replaced even if another user created a directory at the temporary path of the image', () => {
    const shared = sharedFolder()
    const image = join(shared, 'label.png')
    const save = () =>
      run('ada', nodeBinary(24), [program, ...`ce-label --out ${image} --yes -p SANDBOX-DEV`.split(' ')])
    expect(save().status).toBe(0)
    expect(attack(`mkdir '${image}.new'`).status).toBe(0)
    const replaced = save()
    expect(replaced.status, replaced.stderr).toBe(0)
  })

  test('another user cannot read a key or the audit entries in the process list', async () => {
    expect(facescan(`profiles set ACME --audit-command cat`).status).toBe(0)
    const child = start(['api', 'POST', '/v2/slow', '-p', 'ACME', '--confirm=ACME'])
    // The audit command starts before the request, so it is now in the list of processes.
    await arrival('/v2/slow')
    const seen = attack('cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null; true').stdout
    await stop(child)
    expect(seen).toContain('/v2/slow')
    expect(seen).not.toContain('sentinel')
  })

  test('another user cannot redirect the audit log with a symbolic link', () => {
    const shared = join(home, 'state')
    mkdirSync(join(shared, 'facescan'), { recursive: true })
    const target = join(home, 'target')
    writeFileSync(target, '')
    symlinkSync(target, join(shared, 'facescan', logName()))
    give(users.ada, shared, join(shared, 'facescan'), target)
    for (const path of [shared, join(shared, 'facescan')]) chmodSync(path, 0o700)
    const refused = facescan('profiles set ACME --protect read-only', { XDG_STATE_HOME: shared })
    expect(refused.status, refused.stderr).toBe(13)
    expect(readFileSync(target, 'utf8')).toBe('')
  })

  test.each([
    ['the configuration directory is writable for a group', 'chmod 770 .config/facescan'],
    ['the configuration directory belongs to another user', 'chown EVE .config/facescan'],
    ['the home directory is writable for everyone', 'chmod 777 .'],
    ['the home directory belongs to another user', 'chown EVE . && chmod 755 .'],
    ['the key file is readable for a group', 'chmod 640 .config/facescan/keys-production.json'],
    ['the key file belongs to another user', 'chown EVE .config/facescan/keys-production.json'],
    [
      'the key file is a named pipe',
      'cd .config/facescan && rm keys-* && mkfifo -m 600 keys-production.json',
    ],
    ['the key file is an endless device', 'ln -sf /dev/zero .config/facescan/keys-production.json'],
    ['the profile file is writable for a group', 'chmod 664 .config/facescan/profiles.json'],
    ['the profile file belongs to another user', 'chown EVE .config/facescan/profiles.json'],
    ['the audit log belongs to another user', 'chown EVE .local/state/facescan/history-*.ndjson'],
    ['the state directory is writable for a group', 'chmod 770 .local/state/facescan'],
  ])('facescan sends no change if %s', (_, script) => {
    execFileSync('/bin/sh', ['-c', script.replace('EVE', users.eve)], { cwd: home })
    const before = server.requests.length
    const refused = facescan('users create 4711 -p ACME --confirm=ACME')
    expect(refused.status, refused.stderr).toBe(13)
    expect(server.requests).toHaveLength(before)
  })

  test.each(['users get 1 -p ACME', 'users create 1 -p ACME --confirm=ACME', 'status -p ACME'])(
    'root runs no command from the profiles of another user: facescan %s',
    (line) => {
      const profiles = join(home, '.config', 'facescan', 'profiles.json')
      const file = JSON.parse(readFileSync(profiles, 'utf8'))
      const planted = `touch '${home}/planted'; echo ${key}`
      Object.assign(file.profiles.ACME, { store: 'command', keyCommand: planted, auditCommand: planted })
      writeFileSync(profiles, JSON.stringify(file))
      const env = { PATH: process.env['PATH'] ?? '', HOME: home }
      for (const trust of [[], ['--trust-owner', String(identityOf(users.eve).uid)]])
        spawnSync(process.execPath, [program, ...line.split(' '), ...trust], { cwd: '/', env })
      expect(existsSync(join(home, 'planted'))).toBe(false)
    },
  )

  test.each([
    'users get --users LIST --out SHARED/o.csv',
    'users get --users LIST --errors SHARED/o.csv -o csv --yes',
    'users get --users LIST --save-mapping SHARED/o.csv -o csv',
    'answers import LIST --results SHARED --yes',
    'scan-url 4711 --qr-file SHARED/o.png --yes',
    'invite LIST --out SHARED/o.csv --yes',
    'doctor --bundle SHARED/o.csv --yes',
  ])(
    '"facescan %s" never writes to the target of a link that another user swaps at the same time',
    (line) => {
      const shared = sharedFolder()
      const precious = join(home, 'precious')
      const list = join(home, 'list.csv')
      writeFileSync(precious, 'precious')
      writeFileSync(
        list,
        'external_user_id,lookup_key,value,timezone\n4711,weight,80,UTC\nnobody,weight,80,UTC\n',
      )
      give(users.ada, precious, list)
      chmodSync(home, 0o755)
      const names = [
        'o.csv',
        'o.png',
        'o.csv.partial',
        'o.csv.new',
        'o.errors.csv',
        'list.rejects.csv',
        'list.rejects.csv.partial',
      ]
      const swap = `ln -s '${precious}' $n; rm -f $n; echo x > $n; rm -f $n; mkdir $n; rmdir $n`
      const script = `cd '${shared}'; while :; do for n in ${names.join(' ')}; do ${swap}; done 2>/dev/null; done`
      const swapper = spawn('/bin/sh', ['-c', script], { ...identityOf(users.eve), stdio: 'ignore' })
      const onSandbox = (words: string) =>
        run('ada', nodeBinary(24), [program, ...words.split(' '), '-p', 'SANDBOX-DEV'])
      try {
        onSandbox('users create 4711')
        for (let count = 0; count < 5; count++) {
          const ran = onSandbox(line.replace('SHARED', shared).replace('LIST', list))
          expect([0, 2, 10, 11, 12, 13], ran.stderr).toContain(ran.status)
        }
      } finally {
        swapper.kill('SIGKILL')
      }
      expect(readFileSync(precious, 'utf8')).toBe('precious')
    },
  )

  test('facescan refuses a configuration below a directory in which all users can create files', () => {
    const open = join(root, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    cpSync(join(home, '.config'), join(open, 'config'), { recursive: true })
    spawnSync('chown', ['-R', users.ada, join(open, 'config')])
    const refused = facescan('profiles list', { XDG_CONFIG_HOME: join(open, 'config') })
    expect(refused.status, refused.stderr).toBe(13)
    expect(refused.stderr).toContain(`other users can access ${open}`)
  })

  test('no key appears in the process list, in /proc, or in a temporary file while a command runs', async () => {
    const child = start(['api', 'GET', '/slow', '--timeout', '300s'], {
      FACESCAN_API_KEY: key,
      FACESCAN_BASE_URL: server.url,
    })
    await arrival('/slow')
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).toContain(key)
    const names = readdirSync(`/proc/${child.pid}`)
    expect(names).toEqual(expect.arrayContaining(['cmdline', 'environ', 'fd', 'maps', 'mem']))
    for (const name of names)
      expect(
        attack(`cat /proc/${child.pid}/${name} /proc/${child.pid}/${name}/*`).stdout,
        name,
      ).not.toContain(key)
    for (const name of ['environ', 'mem', 'fd', 'cwd/.'])
      expect(
        attack(`ls -l /proc/${child.pid}/${name} && cat /proc/${child.pid}/${name}`).status,
        name,
      ).not.toBe(0)
    expect(attack('cat /proc/[0-9]*/cmdline /proc/[0-9]*/task/*/comm').stdout).not.toContain(key)
    expect(attack(`cat /tmp/facescan-*/* 2>/dev/null`).stdout).not.toContain(key)
    await stop(child)
  })

  test('no key or token appears in the environment of a key command', async () => {
    const seen = join(home, 'environment')
    const words = ['profiles', 'add', 'OTHER', '--no-verify', '--base-url', server.url]
    const child = start([...words, '--key-command', `env > '${seen}'; echo other`], {
      FACESCAN_API_KEY: key,
      FACESCAN_ACTION_TOKEN: 'token-of-ada',
    })
    await stop(child, 'at its end')
    expect(readFileSync(seen, 'utf8')).toContain(`HOME=${home}`)
    expect(readFileSync(seen, 'utf8')).not.toMatch(/sentinel|token-of-ada/)
    expect(attack(`cat '${seen}'`).status).not.toBe(0)
  })

  test('another user cannot read the link that is opened in the browser', async () => {
    const seen = join(home, 'seen')
    const browser = join(home, 'browser')
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${seen}'\nsleep 5\n`)
    chmodSync(browser, 0o755)
    chmodSync(home, 0o755)
    const words = ['scan-url', '4711', '-p', 'ACME', '--confirm=ACME', '--open']
    const child = start(words, { BROWSER: browser })
    while (!existsSync(seen) || readFileSync(seen, 'utf8') === '') await sleep(20)
    const address = readFileSync(seen, 'utf8')
    expect(address).toMatch(/^file:/)
    expect(attack(`cat '${new URL(address).pathname}'`).status).not.toBe(0)
    expect(attack('cat /proc/[0-9]*/cmdline').stdout).not.toMatch(
      /127\.0\.0\.1:\d+\/[0-9a-f-]{36}|action_token/,
    )
    await stop(child)
  })
})
