import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { AuditCommand } from '../../src/audit/audit-command.ts'
import { listChanges } from '../../src/audit/changes.ts'
import { AuditLog } from '../../src/audit/log.ts'
import { resolvePaths } from '../../src/base/paths.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { logName } from '../helpers/history.ts'
import { intentOf } from './entries.ts'

let state: string
let time: number
const start = Date.UTC(2026, 0, 1)

beforeEach(() => {
  state = temporaryFolder()
  time = start
})

const options = (...auditCommands: string[]) => ({
  paths: resolvePaths({ FACESCAN_STATE_DIR: state }),
  env: { PATH: process.env['PATH'] },
  clock: { now: () => time },
  facts: {},
  auditCommands,
})

test('if an audit command ends at once while facescan is suspended, facescan still reports the failure', async () => {
  const command = new AuditCommand('exit 3', options().env)
  const sending = command.send('entry\n')
  // Blocks the event loop, as if facescan were suspended, until the audit command has ended and the time limit for its start has passed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await sending
  expect(command.failure).toMatchObject({
    message: 'the audit command ended (exit code 3); nothing was sent',
  })
})

test.each([
  ['ends at once', 'exit 3', 'exit code 3'],
  ['ends at once and leaves a program in the background', 'sleep 60 & exit 3', 'exit code 3'],
  ['ends after the first entry', 'head -n 1 > /dev/null', 'exit code 0'],
])('a change is refused and logged as not sent if the audit command %s', async (_, command, reason) => {
  const log = new AuditLog(options(command))
  await expect(log.begin(intentOf())).rejects.toMatchObject({
    code: 'refused',
    message: `the audit command ended (${reason}); nothing was sent`,
  })
  expect((await listChanges(options().paths, {}, 10)).map(({ outcome }) => outcome)).toEqual(['not sent'])
})

test('a change is refused if one of two audit commands ends at once', async () => {
  const received = join(state, 'received')
  const log = new AuditLog(options(`cat > ${received}`, 'exit 3'))
  await expect(log.begin(intentOf())).rejects.toThrow('exit code 3')
  await log.close()
  expect(readFileSync(received, 'utf8')).toMatch(/^\{"id".*\n\{"id".*"outcome":"not sent"/)
})

test('a change is refused and logged as not sent if the audit command does not read its input', async () => {
  const [closed, ended] = [join(state, 'closed'), join(state, 'ended')]
  const wait = `until test -e ${ended}; do sleep 0.1; done`
  const log = new AuditLog(options(`exec 0<&-; touch ${closed}; ${wait}`))
  await expect.poll(() => existsSync(closed)).toBe(true)
  await expect(log.begin(intentOf())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('did not read its input'),
  })
  expect((await listChanges(options().paths, {}, 10)).map(({ outcome }) => outcome)).toEqual(['not sent'])
  writeFileSync(ended, '')
  await log.close()
})

test('an audit command that exits with 0 before its input ends is reported as failed', async () => {
  const command = new AuditCommand('head -n 2 > /dev/null', options().env)
  await command.send('entry\n')
  await command.send('entry\n')
  await expect
    .poll(() => command.failure)
    .toMatchObject({
      code: 'import_stopped',
      details: { hint: 'The entries are in the audit log on this machine: facescan history list' },
    })
  expect(await command.close()).toMatchObject({
    message: 'the audit command ended (exit code 0) without confirming all entries',
  })
})

async function confirm(auditCommand: string): Promise<void> {
  const log = new AuditLog(options(auditCommand))
  const end = await log.begin(intentOf())
  await end({ outcome: 'done' })
  await log.close()
}

test('an audit command that exits with a code other than 0 has not confirmed the entries', async () => {
  await expect(confirm('cat > /dev/null; exit 3')).rejects.toMatchObject({
    code: 'import_stopped',
    message: 'the audit command ended (exit code 3) without confirming all entries',
  })
  await confirm('cat > /dev/null')
})

test('an audit command that prints more text than a pipe holds is accepted', async () => {
  await expect(confirm('cat > /dev/null; seq 100000')).resolves.toBeUndefined()
})

test('an audit command that exits with 0 is accepted, even if its child process keeps running', async () => {
  await expect(confirm('cat > /dev/null; sleep 60 &')).resolves.toBeUndefined()
})

test('the start and the end of a command for a list of users are logged with different times', async () => {
  const log = new AuditLog(options())
  const end = await log.begin(intentOf({ outcome: 'started' }))
  time += 60_000
  await end({ outcome: 'done' })
  const times = (await listChanges(options().paths, {}, 10)).map((change) => change.time)
  expect(times).toEqual(['2026-01-01T00:01:00.000Z', '2026-01-01T00:00:00.000Z'])
})

test('the audit log has one file for the entries of each month', async () => {
  const log = new AuditLog(options())
  await log.begin(intentOf())
  time = Date.UTC(2026, 0, 31, 23, 59, 59, 999)
  await new AuditLog(options()).begin(intentOf())
  time += 1
  await new AuditLog(options()).begin(intentOf())
  expect((await readdir(state)).toSorted()).toEqual([logName('2026-01'), logName('2026-02')])
  expect(await listChanges(options().paths, {}, 10)).toHaveLength(3)
})
