import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { acquireLock } from '../../src/bulk/lock.ts'
import { describeProcess, readHolder } from '../../src/bulk/lock-holder.ts'
import { hastyClock } from '../helpers/clock.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { lockOptions } from './lock-options.ts'

const elsewhere = { host: 'c2', pid: 1, bootId: 'boot', pidNamespace: 'pid:[2]', startedAt: '7' }

/** Creates a lock file as if a process on another machine had created it. Returns the directory of the file. */
function leaveLock(difference: object = elsewhere): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lock'), JSON.stringify({ ...difference, counter: '000000000001' }))
  return folder
}

test('an import refuses to start while another run of the same import is active', async () => {
  const folder = temporaryFolder()
  const lock = await acquireLock(folder, lockOptions())
  expect((await readHolder(folder))?.pid).toBe(process.pid)
  await expect(acquireLock(folder, lockOptions())).rejects.toThrow(
    `process ${process.pid} on this machine is already using the same files`,
  )
  await lock.release()
  expect(await readHolder(folder)).toBeUndefined()
  await (await acquireLock(folder, lockOptions())).release()
  expect(readdirSync(folder)).toEqual([])
})

test('an import takes over the lock of a killed process immediately', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const pid = child.pid ?? 0
  await acquireLock(folder, lockOptions(), await describeProcess(pid))
  await expect(acquireLock(folder, lockOptions())).rejects.toThrow(`process ${pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const notes: string[] = []
  await (await acquireLock(folder, lockOptions(notes))).release()
  expect(notes).toEqual([])
})

test('an import immediately takes over the lock of an ended process, even if the import has the same process ID', async () => {
  const folder = leaveLock({ ...(await describeProcess(process.pid)), startedAt: '1' })
  const notes: string[] = []
  await (await acquireLock(folder, lockOptions(notes))).release()
  expect(notes).toEqual([])
})

describe('the lock of a process that may still run', () => {
  test.each([
    ['on another machine', { host: 'other' }],
    ['from before a restart', { bootId: 'another boot' }],
    ['in a container with the same host name', { pidNamespace: 'pid:[1]' }],
    ['of an older version', { pidNamespace: undefined, startedAt: '1' }],
  ])(
    'if a process %s does not renew its lock, the lock is taken over after 90 s and another 30 s',
    async (_, difference) => {
      const self = await describeProcess(process.pid)
      const isOther = 'host' in difference
      const folder = leaveLock({ ...self, ...(isOther && { bootId: 'theirs' }), ...difference })
      const [notes, clock] = [[] as string[], hastyClock()]
      await (await acquireLock(folder, lockOptions(notes, { clock }))).release()
      expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(90_000 + 30_000)
      expect(clock.sleeps.at(-1)).toBe(30_000)
      expect(notes).toEqual([
        expect.stringMatching(/^process \d+ on .* may be using the same files; waiting up to 1 min 30 s/),
        expect.stringContaining('waiting 30 s for the last requests'),
      ])
    },
  )

  test('an import does not take over a renewed lock of a process on another machine', async () => {
    const folder = leaveLock()
    const clock = hastyClock()
    const sleep = async (ms: number) => {
      await clock.sleep(ms)
      if (clock.sleeps.length === 80) {
        const text = readFileSync(join(folder, 'lock'), 'utf8')
        writeFileSync(join(folder, 'lock'), text.replace('0001', '0002'))
      }
    }
    await expect(acquireLock(folder, lockOptions([], { clock: { ...clock, sleep } }))).rejects.toThrow(
      'process 1 on c2 is already using the same files',
    )
  })

  test('an import that waits for the lock of another process stops at a signal', async () => {
    const folder = leaveLock()
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(acquireLock(folder, lockOptions([], { signal }))).rejects.toThrow('stopped')
    expect(readdirSync(folder)).toEqual(['lock'])
  })
})

describe('a lock that was not renewed in time', () => {
  /** A clock whose time advances only when `pass` is called. */
  function pausedClock() {
    let time = 0
    const now = () => time
    return { clock: { ...hastyClock(), now, monotonic: now }, pass: (ms: number) => (time += ms) }
  }

  test('if an import renews its lock too late, it keeps the lock unless another process has taken it over', async () => {
    const folder = temporaryFolder()
    const { clock, pass } = pausedClock()
    const lock = await acquireLock(folder, lockOptions([], { clock }))
    const before = readFileSync(join(folder, 'lock'), 'utf8')
    pass(19_000)
    lock.ensureHeld()
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(before)
    pass(2_000)
    lock.ensureHeld()
    const after = readFileSync(join(folder, 'lock'), 'utf8')
    expect(after).not.toBe(before)
    expect(after.length).toBe(before.length)
    await lock.release()
  })

  test('an import stops if another process has taken over its lock', async () => {
    const folder = temporaryFolder()
    const { clock, pass } = pausedClock()
    const lock = await acquireLock(folder, lockOptions([], { clock }), elsewhere)
    const other = await acquireLock(folder, lockOptions())
    lock.ensureHeld()
    pass(20_000)
    expect(() => lock.ensureHeld()).toThrow('another process may have started to use the same files')
    expect(lock.lost.reason).toMatchObject({ code: 'import_stopped', exitCode: 11 })
    await lock.release()
    expect((await readHolder(folder))?.pid).toBe(process.pid)
    await other.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('an import stops if its lock file was renamed', async () => {
    const folder = temporaryFolder()
    const { clock, pass } = pausedClock()
    const lock = await acquireLock(folder, lockOptions([], { clock }))
    renameSync(join(folder, 'lock'), join(folder, 'aside'))
    pass(20_000)
    expect(() => lock.ensureHeld()).toThrow('another process')
  })
})

test('an import takes over an empty lock file', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lock'), '')
  await (await acquireLock(folder, lockOptions())).release()
})

test('an import fails with an error if its lock file cannot be read', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'lock'))
  await expect(acquireLock(folder, lockOptions())).rejects.toThrow(/cannot use the lock .*\/lock/)
  expect(readdirSync(folder)).toEqual(['lock'])
})
