import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { orUndefined } from '../../src/base/functions.ts'
import { realClock } from '../helpers/clock.ts'
import { findLog } from '../helpers/history.ts'
import { needs } from '../helpers/needs.ts'
import { useProduction } from '../helpers/production.ts'

const needed = needs('logger')

const production = useProduction()

let received: string

beforeEach(() => {
  received = join(production.machine.home, 'received.ndjson')
})

/** Runs a command in production. `confirm` is the profile name, or the number of users if the command deletes a list of users. */
const inProduction = (line: string, confirm = 'ACME') =>
  production.machine.facescan(`${line} -p ACME --confirm=${confirm}`)

async function setCommand(command: string): Promise<void> {
  const words = ['profiles', 'set', 'ACME', '--audit-command', command, '--confirm=ACME']
  const { exitCode, stderr } = await production.machine.facescan(words)
  expect(exitCode, stderr).toBe(0)
}

/** Stores an audit command in the profile without checking it. */
function storeCommand(auditCommand: string): void {
  changeProfile('ACME', (profile) => ({ ...profile, auditCommand }))
}

function changeProfile(name: string, change: (profile: object) => object): void {
  const path = join(production.machine.home, 'config', 'profiles.json')
  const file = JSON.parse(readFileSync(path, 'utf8'))
  file.profiles[name] = change(file.profiles.ACME)
  writeFileSync(path, JSON.stringify(file))
}

const readReceived = () =>
  readFileSync(received, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Whether the user exists on the service, which means that the request to create the user was sent. */
async function exists(id: string): Promise<boolean> {
  return (await production.machine.facescan(`users get ${id} -p ACME`)).exitCode === 0
}

/** Creates users and writes them to a list of users. Returns the path of the list. */
async function listOfUsers(count: number): Promise<string> {
  const users = []
  for (let index = 0; index < count; index++) users.push((await production.createUser()).external)
  const path = join(production.machine.home, 'users.csv')
  writeFileSync(path, `external_user_id\n${users.join('\n')}\n`)
  return path
}

describe('an audit command', () => {
  it('an audit command receives the start and the outcome of each change, without the external user ID', async () => {
    storeCommand(`cat >> ${received}`)
    const shown = await production.machine.facescan('profiles show ACME --json=audit_command')
    expect(JSON.parse(shown.stdout)).toEqual({ audit_command: `cat >> ${received}` })
    expect((await inProduction('users create recorded-1')).exitCode).toBe(0)
    const entries = readReceived()
    expect(entries).toMatchObject([
      { command: 'users create', profile: 'ACME' },
      { command: 'users create', profile: 'ACME', outcome: 'done', status: 201 },
    ])
    expect(entries[0]).not.toHaveProperty('outcome')
    expect(entries[1].id).toBe(entries[0].id)
    expect(readFileSync(received, 'utf8')).not.toContain('recorded-1')
    const log = readFileSync(findLog(join(production.machine.home, 'state')), 'utf8')
    expect(log.endsWith(readFileSync(received, 'utf8'))).toBe(true)
  })

  it('an audit command is started once for a list of users and receives one entry for each user', async () => {
    const list = await listOfUsers(3)
    storeCommand(`echo started >> ${received}.starts; cat >> ${received}`)
    const deleted = await inProduction(`users delete --users ${list}`, '3')
    expect(deleted.exitCode, deleted.stderr).toBe(0)
    const entries = readReceived()
    expect(entries.map(({ outcome }) => outcome)).toEqual(['started', 'done', 'done', 'done', 'done'])
    expect(entries.map(({ status }) => status)).toEqual([undefined, 204, 204, 204, undefined])
    expect(readFileSync(`${received}.starts`, 'utf8')).toBe('started\n')
    const [first] = readFileSync(list, 'utf8').split('\n').slice(1)
    const found = await production.machine.facescan(`history list --user ${first} --json`)
    expect(JSON.parse(found.stdout)[0]).toMatchObject({
      command: 'users delete',
      outcome: 'done',
      status: 204,
    })
    const table = await production.machine.facescan('history list', { terminal: true, columns: 80 })
    expect(stripVTControlCharacters(table.stdout)).toMatch(/^When +Command +Outcome .*User ID/)
  })

  it('an audit command receives one entry for each user that an import created', async () => {
    const file = join(production.machine.home, 'new.csv')
    writeFileSync(file, 'external_user_id,language\nnew-1,nl\nnew-2,fr\n')
    storeCommand(`cat >> ${received}`)
    const imported = await inProduction(`users import ${file}`)
    expect(imported.exitCode, imported.stderr).toBe(0)
    const users = readReceived().filter(({ method }) => method === 'POST')
    expect(users).toMatchObject([
      { command: 'users import', method: 'POST', outcome: 'done', status: 201 },
      { command: 'users import', method: 'POST', outcome: 'done', status: 201 },
    ])
    for (const { user_id } of users) expect(user_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(readFileSync(received, 'utf8')).not.toContain('new-1')
  })

  it('an audit command receives each entry that the audit log receives, for changes of users, answers, and profiles', async () => {
    const { home } = production.machine
    const file = join(home, 'answers.csv')
    writeFileSync(file, 'external_user_id,lookup_key,value,timezone\neach-1,weight,70,UTC\n')
    const staff = join(home, 'staff.csv')
    writeFileSync(staff, 'external_user_id\neach-2\n')
    storeCommand(`cat >> ${received}`)
    const log = findLog(join(home, 'state'))
    const earlier = readFileSync(log, 'utf8').length
    const lines = [
      ['users create each-1'],
      ['users update each-1 --sex F'],
      ['answers save each-1 height=170 --timezone UTC'],
      [`answers import ${file}`],
      ['api POST /v2/users -f external_user_id=each-3'],
      [`users import ${staff}`],
      [`invite ${staff}`],
      ['users delete each-1', 'each-1'],
      [`users delete --users ${staff}`, '1'],
      ['profiles set ACME --rate 9/s'],
      ['profiles set ACME --protect read-only'],
      ['profiles unlock ACME --for 5m --reason test'],
    ] as const
    for (const [line, confirm = 'ACME'] of lines) {
      const profile = line.startsWith('profiles') ? '' : '-p ACME'
      const ran = await production.machine.facescan(`${line} ${profile} --confirm=${confirm}`)
      expect(ran.exitCode, `${line}: ${ran.stderr}`).toBe(0)
    }
    const logged = readFileSync(log, 'utf8').slice(earlier)
    expect(new Set(logged.match(/"command":"[^"]+"/g)).size).toBe(10)
    expect(readFileSync(received, 'utf8')).toBe(logged)
  })

  it('an audit command is not started by a dry run or by a command that only reads', async () => {
    storeCommand(`echo started >> ${received}; cat`)
    await production.machine.facescan('users get nobody -p ACME')
    await production.machine.facescan('users create recorded-2 -p ACME --dry-run')
    expect(existsSync(received)).toBe(false)
  })

  it('an audit command receives the entries for its own addition and removal, but no entry after its removal', async () => {
    await setCommand(`cat >> ${received}`)
    await setCommand('')
    expect(readReceived()).toMatchObject([
      { command: 'profiles set', detail: 'audit command' },
      { command: 'profiles set', detail: 'audit command', outcome: 'done' },
      { command: 'profiles set', detail: 'audit command removed' },
      { command: 'profiles set', detail: 'audit command removed', outcome: 'done' },
    ])
    const before = readReceived().length
    expect((await inProduction('users create recorded-3')).exitCode).toBe(0)
    expect(readReceived()).toHaveLength(before)
  })

  it('a profile keeps its audit command if its key is replaced', async () => {
    storeCommand(`cat >> ${received}`)
    const { service, machine } = production
    const line = `profiles add ACME --replace --key-stdin --store file --base-url ${service.url} --confirm=ACME`
    const added = await machine.facescan(line, { stdin: service.keys.production.key })
    expect(added.exitCode, added.stderr).toBe(0)
    expect((await inProduction('users create recorded-4')).exitCode).toBe(0)
    expect(readReceived().at(-1)).toMatchObject({ command: 'users create', outcome: 'done' })
  })

  it('the environment of an audit command does not contain the API key', async () => {
    storeCommand(`env > ${received}.env; cat > ${received}`)
    const { service, machine } = production
    const env = { FACESCAN_API_KEY: service.keys.production.key, FACESCAN_ACTION_TOKEN: 'token-1' }
    const created = await machine.facescan('users create recorded-5 -p ACME --confirm=ACME', { env })
    expect(created.exitCode, created.stderr).toBe(0)
    expect(readFileSync(`${received}.env`, 'utf8')).not.toMatch(/FACESCAN_(API_KEY|ACTION_TOKEN)/)
  })

  it('if two profiles have the same key, the audit command of one profile receives changes made with the other profile', async () => {
    storeCommand(`cat >> ${received}`)
    changeProfile('OTHER', (profile) => ({ ...profile, auditCommand: undefined }))
    const keys = join(production.machine.home, 'config', 'keys-production.json')
    const file = JSON.parse(readFileSync(keys, 'utf8'))
    file.keys.OTHER = file.keys.ACME
    writeFileSync(keys, JSON.stringify(file))
    const created = await production.machine.facescan('users create recorded-7 -p OTHER --confirm=OTHER')
    expect(created.exitCode, created.stderr).toBe(0)
    expect(readReceived().at(-2)).toMatchObject({ command: 'users create', profile: 'OTHER' })
  })

  it('an audit command runs in its own process group, so that Ctrl-C does not end it', async () => {
    storeCommand(`cut -d ' ' -f 1,5 /proc/$$/stat > ${received}; cat`)
    expect((await inProduction('users create recorded-8')).exitCode).toBe(0)
    const [id, group] = readFileSync(received, 'utf8').trim().split(' ')
    expect(group).toBe(id)
  })

  it.skipIf(needed.missing)(
    'if the audit command is the program "logger", each entry is written to the system log',
    async () => {
      const log = await listenForMessages()
      const logger = `${needed.path.logger} -t facescan --socket ${log.path} --socket-errors=on`
      storeCommand(logger)
      expect((await inProduction('users create recorded-6')).exitCode).toBe(0)
      const messages = (await log.received).trimEnd().split('\n')
      for (const message of messages) expect(message).toMatch(/^<\d+>.* facescan: \{.*\}$/)
      const entries = messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))))
      expect(entries).toMatchObject([
        { command: 'users create', method: 'POST' },
        { command: 'users create', outcome: 'done', status: 201 },
      ])
    },
  )
})

/** A socket like the socket of the system log. `received` is the text from the first program that connects. */
async function listenForMessages(): Promise<{ path: string; received: Promise<string> }> {
  const path = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  const server = createServer()
  const received = once(server, 'connection').then(([socket]) => text(socket))
  await once(server.listen(path), 'listening')
  return { path, received: received.finally(() => server.close()) }
}

describe('an audit command that fails', () => {
  it.each([
    ['cannot start', 'no-such-program-1', 'exit code 127'],
    ['fails at once', 'echo no socket >&2; exit 3', 'exit code 3: no socket'],
    ['exits at once with exit code 0', 'true', 'exit code 0'],
  ])(
    'an audit command that %s is refused, and a profile that already contains the command sends no change',
    async (_, command, reason) => {
      const words = ['profiles', 'set', 'ACME', '--audit-command', command]
      expect((await production.machine.facescan(words)).stderr).toContain(
        `the audit command ended (${reason}`,
      )
      expect((await production.machine.facescan('profiles show ACME --jq .audit_command')).stdout).toBe(
        'null\n',
      )
      storeCommand(command)
      const refused = await inProduction('users create refused-1')
      expect([refused.exitCode, refused.stdout]).toEqual([12, ''])
      expect(refused.stderr).toMatch(
        new RegExp(`the audit command ended \\(${reason}.*\\); nothing was sent`),
      )
      expect(await exists('refused-1')).toBe(false)
    },
  )

  it('"profiles set" refuses to remove an audit command that fails', async () => {
    storeCommand('exit 3')
    const words = ['profiles', 'set', 'ACME', '--audit-command', '', '--confirm=ACME']
    const refused = await production.machine.facescan(words)
    expect(refused.exitCode).toBe(12)
    expect(refused.stderr).toContain('If the current audit command fails, add --ignore-audit-failure')
    const other = await production.machine.facescan('profiles set ACME --timezone UTC --confirm=ACME')
    expect([other.exitCode, other.stderr]).toEqual([
      12,
      expect.not.stringContaining('--ignore-audit-failure'),
    ])
    expect((await inProduction('users create refused-2')).exitCode).toBe(12)
  })

  it('with --ignore-audit-failure, a failing audit command can be replaced, and the audit log and the new command record this', async () => {
    storeCommand('exit 3')
    const words = [
      'profiles',
      'set',
      'ACME',
      '--ignore-audit-failure',
      '--audit-command',
      `cat >> ${received}`,
    ]
    expect((await production.machine.facescan(words)).stderr).toContain(
      'replacing the audit command of ACME (even if it fails) needs confirmation',
    )
    const replaced = await production.machine.facescan([...words, '--confirm=ACME'])
    expect(replaced.exitCode, replaced.stderr).toBe(0)
    const detail = 'audit command; the previous audit command did not accept this entry'
    expect(readReceived().slice(-2)).toMatchObject([{ detail }, { detail, outcome: 'done' }])
    const found = await production.machine.facescan('history list --json=detail,outcome')
    expect(JSON.parse(found.stdout).slice(0, 2)).toEqual([
      { detail, outcome: 'done' },
      { detail: 'audit command', outcome: 'not sent' },
    ])
    expect((await inProduction('users create replaced-1')).exitCode).toBe(0)
  })

  it('with --ignore-audit-failure, an audit command that works receives the entry about its removal', async () => {
    storeCommand(`cat >> ${received}`)
    const words = [
      'profiles',
      'set',
      'ACME',
      '--audit-command',
      '',
      '--ignore-audit-failure',
      '--confirm=ACME',
    ]
    expect((await production.machine.facescan(words)).exitCode).toBe(0)
    const detail = 'audit command removed'
    expect(readReceived()).toMatchObject([{ detail }, { detail, outcome: 'done' }])
  })

  it.each([
    ['does not replace the audit command', ['--timezone', 'UTC'], 2],
    ['repeats the audit command that fails', ['--audit-command', 'exit 3'], 12],
    ['has a new audit command that fails', ['--audit-command', 'exit 4'], 12],
  ])('"profiles set --ignore-audit-failure" is refused if it %s', async (_, change, exitCode) => {
    storeCommand('exit 3')
    const words = ['profiles', 'set', 'ACME', ...change, '--ignore-audit-failure', '--confirm=ACME']
    expect((await production.machine.facescan(words)).exitCode).toBe(exitCode)
    expect((await production.machine.facescan('profiles show ACME --jq .audit_command')).stdout).toBe(
      'exit 3\n',
    )
  })

  it('if a list fails and the audit command does not confirm all entries, the failure of the list is the error, and the missing confirmation is a warning', async () => {
    storeCommand(`cat > ${received}; exit 3`)
    const list = await listOfUsers(1)
    appendFileSync(list, 'nobody\n')
    const { exitCode, stderr } = await inProduction(`users delete --users ${list} --json`, '2')
    expect(exitCode, stderr).toBe(10)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1).error).toMatchObject({
      code: 'list_failed',
      hint: expect.stringContaining('failed users'),
    })
    expect(lines).toContainEqual({
      warning: { message: 'the audit command ended (exit code 3) without confirming all entries' },
    })
  })

  it('"users delete" stops if the audit command exits early, and the local audit log keeps the entries', async () => {
    const list = await listOfUsers(30)
    storeCommand(`head -n 2 > ${received}`)
    const stopped = await inProduction(`users delete --users ${list} --max-concurrency 1`, '30')
    expect(stopped.exitCode, stopped.stderr).toBe(11)
    expect(stopped.stderr).toContain('the audit command ended')
    expect(readReceived()).toHaveLength(2)
    const ids = readFileSync(list, 'utf8').trim().split('\n').slice(1)
    expect(await exists(ids.at(-1) ?? '')).toBe(true)
    const log = readFileSync(findLog(join(production.machine.home, 'state')), 'utf8')
    expect(log.trimEnd().split('\n').length).toBeGreaterThan(2)
  })

  it('an import stops if the audit command exits early, and can be resumed', async () => {
    const ids = readFileSync(await listOfUsers(30), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    const answers = join(production.machine.home, 'answers.csv')
    const rows = ids.map((id) => `${id},weight,80,UTC\n`).join('')
    writeFileSync(answers, `external_user_id,lookup_key,value,timezone\n${rows}`)
    storeCommand('head -n 1; sleep 2; exit 4')
    // At this rate, the audit command ends long before the last row is sent.
    const stopped = await inProduction(`answers import ${answers} --rate 5`)
    expect(stopped.exitCode, stopped.stderr).toBe(11)
    expect(stopped.stderr).toContain('the audit command ended (exit code 4); no new request was sent')
    expect(stopped.stderr).toMatch(/0 rejected, 0 unknown, [1-9]\d* unsent/)
    // On a busy machine, the old audit command can end before it receives the entry about its replacement.
    const words = 'profiles set ACME --audit-command cat --ignore-audit-failure --confirm=ACME'
    expect([0, 11]).toContain((await production.machine.facescan(words)).exitCode)
    const resumed = await inProduction(`answers import ${answers}`)
    expect(resumed.exitCode, resumed.stderr).toBe(0)
  })

  it('a command that makes a change exits with code 11 if the audit command does not confirm all entries', async () => {
    storeCommand(`cat > ${received}; exit 4`)
    const changed = await inProduction('users create unconfirmed-1')
    expect(changed.exitCode).toBe(11)
    expect(changed.stderr).toContain('the audit command ended (exit code 4) without confirming all entries\n')
    expect(changed.stderr).not.toContain('no new request was sent')
    expect(changed.stderr).toContain('facescan history list. Earlier requests were sent.')
    expect(await exists('unconfirmed-1')).toBe(true)
  })

  it('if the audit command fails after a change, the timer of --max-time is stopped', async () => {
    storeCommand('cat > /dev/null; exit 4')
    const limits: (AbortSignal | undefined)[] = []
    const sleep: Clock['sleep'] = (ms, signal) => {
      if (ms === 3_600_000) limits.push(signal)
      return realClock.sleep(ms, signal)
    }
    const line = 'users create unconfirmed-3 -p ACME --confirm=ACME --max-time 1h'
    const changed = await production.machine.facescan(line, { clock: { ...realClock, sleep } })
    expect(changed.exitCode).toBe(11)
    expect(limits.map((signal) => signal?.aborted)).toEqual([true])
  })

  it('if an audit command does not exit, the audit command and the programs that it started are killed', async () => {
    storeCommand(`sleep 1000 & echo $! > ${received}.pid; cat > ${received}; wait`)
    const changed = await inProduction('users create unconfirmed-2')
    expect(changed.exitCode).toBe(11)
    expect(changed.stderr).toContain('the audit command ended (no exit within 10 s)')
    const state = `/proc/${readFileSync(`${received}.pid`, 'utf8').trim()}/stat`
    // A process that has ended is a zombie (Z) until its parent reads the exit code.
    await expect
      .poll(() => orUndefined(() => readFileSync(state, 'utf8')) ?? 'ended')
      .toMatch(/^ended$|\) Z /)
  })
})
