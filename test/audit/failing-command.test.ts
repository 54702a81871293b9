import { existsSync, writeFileSync } from 'node:fs'
import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { AuditCommand } from '../../src/audit/audit-command.ts'
import { listChanges } from '../../src/audit/changes.ts'
import { AuditLog, tryAuditCommand } from '../../src/audit/log.ts'
import { resolvePaths } from '../../src/base/paths.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { awaitEndOfAuditCommands, intentOf } from './entries.ts'

let state: string
let time: number
const start = Date.UTC(2026, 0, 1)

beforeEach(() => {
  state = temporaryFolder()
  time = start
})

const options = (auditCommand?: string) => ({
  paths: resolvePaths({ FACESCAN_STATE_DIR: state }),
  env: { PATH: process.env['PATH'] },
  clock: { now: () => time },
  facts: {},
  auditCommand,
})

test('if an audit command ends at once while facescan is suspended, facescan still reports the failure', async () => {
  const command = new AuditCommand('exit 3', options().env)
  const starting = command.start()
  // Blocks the event loop, as if facescan were suspended, until the audit command has ended and the time limit for its start has passed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await starting
  expect(command.failure).toMatchObject({
    message: 'the audit command ended (exit code 3); nothing was sent',
  })
})

test('opening the audit log fails if the audit command ends at once', async () => {
  awaitEndOfAuditCommands()
  await expect(AuditLog.open(options('exit 3'))).rejects.toMatchObject({
    code: 'refused',
    message: 'the audit command ended (exit code 3); nothing was sent',
  })
})

test('a change is refused and logged as not sent if the audit command does not read its input', async () => {
  const [closed, ended] = [join(state, 'closed'), join(state, 'ended')]
  const wait = `until test -e ${ended}; do sleep 0.1; done`
  const log = await AuditLog.open(options(`exec 0<&-; touch ${closed}; ${wait}`))
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
  const command = new AuditCommand('head -n 1 > /dev/null', options().env)
  await command.start()
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

test('an audit command is refused if it exits with a code other than 0', async () => {
  await expect(tryAuditCommand('cat > /dev/null; exit 3', options())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('exit code 3'),
    details: { hint: expect.stringContaining('exit with code 0') },
  })
  await tryAuditCommand('cat > /dev/null', options())
})

test('an audit command that prints more text than a pipe holds is accepted', async () => {
  await expect(tryAuditCommand('cat > /dev/null; seq 100000', options())).resolves.toBeUndefined()
})

test('an audit command that exits with 0 is accepted, even if its child process keeps running', async () => {
  await expect(tryAuditCommand('cat > /dev/null; sleep 60 &', options())).resolves.toBeUndefined()
})

test('the start and the end of a command for a list of users are logged with different times', async () => {
  const log = await AuditLog.open(options())
  const end = await log.begin(intentOf({ is_import: true }))
  time += 60_000
  await end({ outcome: 'done' })
  const times = (await listChanges(options().paths, {}, 10)).map((change) => change.time)
  expect(times).toEqual(['2026-01-01T00:01:00.000Z', '2026-01-01T00:00:00.000Z'])
})

test.each([
  [1024 * 1024 - 1, 'extended'],
  [1024 * 1024, 'replaced by a new file'],
])('when an entry is added, a log file of %i bytes is %s', async (size, expected) => {
  const log = await AuditLog.open(options())
  await log.begin(intentOf())
  const path = join(state, 'history.ndjson')
  await truncate(path, size)
  await log.begin(intentOf())
  expect((await stat(path)).size > size).toBe(expected === 'extended')
})
