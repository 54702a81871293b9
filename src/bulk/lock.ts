import { linkSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { RefusedError } from '../base/errors.ts'
import { orUndefined } from '../base/or-undefined.ts'
import { isRunning } from '../base/system/is-running.ts'
import { isCreated } from '../base/system/system-code.ts'
import { writeOrExplain } from './write-or-explain.ts'

/** Process that holds an import. Boot ID and start time distinguish it from a later process with the same number. */
export interface LockHolder {
  host: string
  pid: number
  bootId: string
  startedAt: string
}

export interface Lock {
  release(): Promise<void>
}

/** Locks the import for this process. Takes over a lock if its holder has certainly ended. */
export async function acquireLock(folder: string, self?: LockHolder): Promise<Lock> {
  const path = join(folder, 'lock')
  const holder = self ?? (await describeProcess(process.pid))
  const own = `${path}.${holder.host}.${holder.pid}`
  await writeOrExplain(folder, async () => {
    await writeFile(own, JSON.stringify(holder), { mode: 0o600 })
    try {
      // A link appears complete or not at all.
      while (!isCreated(() => linkSync(own, path))) await removeStale(path, `${own}.stale`)
    } finally {
      await rm(own, { force: true })
    }
  })
  return { release: () => rm(path, { force: true }) }
}

/** The holder of an import's lock, if there is one and it may still run. */
export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const holder = parse(await readText(join(folder, 'lock')))
  return holder !== undefined && !(await isGone(holder)) ? holder : undefined
}

async function removeStale(path: string, aside: string): Promise<void> {
  const text = await readText(path)
  if (text === undefined) return
  const holder = parse(text)
  if (holder !== undefined && !(await isGone(holder))) throw heldBy(holder, path)
  await rename(path, aside).catch(() => {})
  // Another process may have taken the lock between the read and the rename: restore its lock.
  if ((await readText(aside)) !== text) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}

function heldBy(holder: LockHolder, path: string): RefusedError {
  const where = holder.host === hostname() ? 'on this machine' : `on ${holder.host}`
  return new RefusedError(`process ${holder.pid} ${where} is already using the same files`, {
    hint: `Wait for the process to finish. If the process is not running, delete ${path}`,
  })
}

/** Whether the process has certainly ended. Processes on other machines are never certain. */
export async function isGone(holder: LockHolder): Promise<boolean> {
  if (holder.host !== hostname()) return false
  if (!isRunning(holder.pid)) return true
  const now = await describeProcess(holder.pid)
  return now.bootId !== holder.bootId || now.startedAt !== holder.startedAt || (await hasExited(holder.pid))
}

/** A killed process keeps its number until its parent collects it. Linux only. */
async function hasExited(pid: number): Promise<boolean> {
  return /^[ZX]/.test((await readStat(pid)) ?? '')
}

/** The fields after the name. The name is in parentheses and may contain spaces. */
async function readStat(pid: number): Promise<string | undefined> {
  const text = await readText(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2)
}

/** Boot ID and start time exist only on Linux. Elsewhere they are empty, and only the process number is compared. */
export async function describeProcess(pid: number): Promise<LockHolder> {
  const bootId = (await readText('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
  const startedAt = (await readStat(pid))?.split(' ')[19] ?? ''
  return { host: hostname(), pid, bootId, startedAt }
}

function parse(text: string | undefined): LockHolder | undefined {
  return orUndefined((): LockHolder => JSON.parse(text ?? ''))
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
