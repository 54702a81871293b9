import { readdirSync, readlinkSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { listChanges, readLog } from '../../src/audit/changes.ts'
import { AuditLog } from '../../src/audit/log.ts'
import { orUndefined } from '../../src/base/functions.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { hastyClock } from '../helpers/clock.ts'
import { logName } from '../helpers/history.ts'
import { intentOf } from './entries.ts'

let paths: Paths
let writer: AuditLog
let log: string

const openLog = (at: Paths) =>
  new AuditLog({ paths: at, env: {}, clock: hastyClock(Date.UTC(2026, 0, 1)), auditCommands: [], facts: {} })

const addUser = (log: AuditLog) => log.addUser(intentOf(), { outcome: 'done' })

beforeEach(async () => {
  const state = join(await mkdtemp(join(tmpdir(), 'facescan-audit-')), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
  writer = openLog(paths)
  log = join(state, logName('2026-01'))
})

it('the audit log entry for each user of a list is written before the command ends', async () => {
  await writer.begin(intentOf({ outcome: 'started' }))
  for (const users of [1, 2]) {
    await addUser(writer)
    expect((await readLog(paths)).changes).toHaveLength(1 + users)
  }
})

it('closing the audit log fails if an entry for a user could not be written', async () => {
  await addUser(writer)
  await expect(writer.close()).rejects.toThrow('cannot write the audit log')
})

it('if an audit log entry could not be written, a command for a list of users sends no further request', async () => {
  await writer.begin(intentOf({ outcome: 'started' }))
  await rm(log)
  await mkdir(log)
  await addUser(writer)
  await expect(writer.close()).rejects.toThrow('cannot write the audit log')
  await rm(log, { recursive: true })
  expect(() => writer.assertOpen()).toThrow('no new request was sent')
})

it('a command for a list of users continues if no audit command is set', () => {
  expect(() => writer.assertOpen()).not.toThrow()
})

it('if the log contains the outcome of a change but not its start, the change is not listed', async () => {
  await writer.begin(intentOf())
  await appendFile(log, '{"event":"outcome","intent":"deleted","outcome":"done"}\n')
  expect(await listChanges(paths, {}, 50)).toHaveLength(1)
})

it('a filter by profile lists only the changes that were made with that profile', async () => {
  await writer.begin(intentOf({ profile: 'ACME' }))
  await writer.begin(intentOf({ profile: 'OTHER' }))
  expect(await listChanges(paths, { profile: 'ACME' }, 50)).toMatchObject([{ profile: 'ACME' }])
})

it.runIf(process.platform === 'linux')('the file of the audit log is closed after each entry', async () => {
  await writer.begin(intentOf())
  const links = readdirSync('/proc/self/fd').map((fd) =>
    orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)),
  )
  expect(links).not.toContain(log)
})
