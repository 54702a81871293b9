import { readdirSync, readlinkSync } from 'node:fs'
import { appendFile, chmod, type FileHandle, mkdtemp, open, readFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { countEntries, listChanges } from '../../src/audit/changes.ts'
import { AuditLog } from '../../src/audit/log.ts'
import { orUndefined } from '../../src/base/functions.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { hastyClock } from '../helpers/clock.ts'
import { intentOf } from './entries.ts'

let paths: Paths
let writer: AuditLog

const openLog = (at: Paths) =>
  AuditLog.open({ paths: at, env: {}, clock: hastyClock(Date.UTC(2026, 0, 1)), facts: {} })

const addUser = (log: AuditLog) => log.addUser(intentOf(), { outcome: 'done' })

beforeEach(async () => {
  const state = join(await mkdtemp(join(tmpdir(), 'facescan-audit-')), 'state')
  paths = resolvePaths({ FACESCAN_STATE_DIR: state })
  writer = await openLog(paths)
})

it('the audit log entry for each user of a list is written before the command ends', async () => {
  for (const entries of [1, 2]) {
    addUser(writer)
    await expect.poll(() => countEntries(paths)).toEqual({ entries, damaged: 0 })
  }
})

it('closing the audit log fails if an entry for a user could not be written', async () => {
  const nowhere = await openLog(resolvePaths({}, 'linux', () => undefined))
  addUser(nowhere)
  await expect(nowhere.close()).rejects.toThrow('no home directory')
})

it('if an audit log entry could not be written, a command for a list of users sends no further request', async () => {
  await writer.begin(intentOf({ is_import: true }))
  const log = join(paths.state ?? '', 'history.ndjson')
  await chmod(log, 0o644)
  addUser(writer)
  await expect(writer.close()).rejects.toThrow('other users can access')
  await chmod(log, 0o600)
  expect(() => writer.assertOpen()).toThrow('no new request was sent')
})

it('a command for a list of users continues if no audit command is set', () => {
  expect(() => writer.assertOpen()).not.toThrow()
})

it('if the log contains the outcome of a change but not its start, the change is not listed', async () => {
  await writer.begin(intentOf())
  await appendFile(join(paths.state ?? '', 'history.ndjson'), '{"event":"outcome","intent":"deleted"}\n')
  expect(await listChanges(paths, {}, 50)).toHaveLength(1)
})

it('a filter by profile lists only the changes that were made with that profile', async () => {
  await writer.begin(intentOf({ profile: 'ACME' }))
  await writer.begin(intentOf({ profile: 'OTHER' }))
  expect(await listChanges(paths, { profile: 'ACME' }, 50)).toMatchObject([{ profile: 'ACME' }])
})

it('if the disk becomes full while a log entry is written, the change is refused and the partial entry is removed', async () => {
  await writer.begin(intentOf())
  const log = join(paths.state ?? '', 'history.ndjson')
  const before = await readFile(log, 'utf8')
  const handle = await open(log)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { appendFile } = prototype
  vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: FileHandle, text) {
    await appendFile.call(this, String(text).slice(0, 10))
    throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', errno: -constants.errno.ENOSPC })
  })
  await expect(writer.begin(intentOf())).rejects.toMatchObject({
    exitCode: 13,
    message: `cannot write the audit log in ${paths.state} (no space left on device)`,
  })
  expect(await readFile(log, 'utf8')).toBe(before)
})

it.runIf(process.platform === 'linux')('the file of the audit log is closed after each entry', async () => {
  await writer.begin(intentOf())
  const links = readdirSync('/proc/self/fd').map((fd) =>
    orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)),
  )
  expect(links).not.toContain(join(paths.state ?? '', 'history.ndjson'))
})
