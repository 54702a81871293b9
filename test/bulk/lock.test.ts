import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireLock, describeProcess, readHolder } from '../../src/bulk/lock.ts'
import { temporaryFolder } from '../helpers/folder.ts'

test('a second run of the same import is refused while the first is running', async () => {
  const folder = temporaryFolder()
  const lock = await acquireLock(folder)
  expect((await readHolder(folder))?.pid).toBe(process.pid)
  await expect(acquireLock(folder)).rejects.toThrow(
    `process ${process.pid} on this machine is already using the same files`,
  )
  await lock.release()
  expect(await readHolder(folder)).toBeUndefined()
  await (await acquireLock(folder)).release()
  expect(readdirSync(folder)).toEqual([])
})

test('the lock of a killed process is taken over', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const pid = child.pid ?? 0
  await acquireLock(folder, await describeProcess(pid))
  await expect(acquireLock(folder)).rejects.toThrow(`process ${pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await acquireLock(folder)).release()
})

test.each([
  ['before this boot', { bootId: 'another boot' }],
  ['by an earlier process with the same number', { startedAt: '1' }],
])('a lock taken %s is stale', async (_, difference) => {
  const folder = temporaryFolder()
  await acquireLock(folder, { ...(await describeProcess(process.pid)), ...difference })
  await (await acquireLock(folder)).release()
})

test('a lock of another machine is never taken over', async () => {
  const folder = temporaryFolder()
  await acquireLock(folder, { host: 'other-host', pid: 1, bootId: '', startedAt: '' })
  await expect(acquireLock(folder)).rejects.toThrow('process 1 on other-host')
})

test('an empty lock is stale, because a complete lock appears at once', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lock'), '')
  await (await acquireLock(folder)).release()
})
