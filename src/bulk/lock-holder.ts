import { readFile, readlink, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { orUndefined } from '../base/functions.ts'
import { isRunning } from '../base/process.ts'

/** The process that holds a lock. A later process can have the same process ID, but not the same boot ID and start time. */
export interface LockHolder {
  host: string
  pid: number
  bootId: string
  /** PID namespace. In another namespace, such as a container, the same process ID can belong to a different process. */
  pidNamespace: string
  startedAt: string
}

export interface LockOptions {
  clock: Clock
  note(text: string): void
  signal?: AbortSignal | undefined
  /** Time in ms in which the service may still apply requests from the previous holder of the lock. */
  settleMs: number
}

/** If a lock is not renewed for this time in ms, it expires. Network file systems can show a renewal a minute late. */
export const watchMs = 90_000

/** The process that holds the lock of this directory. Undefined if no running process holds the lock. */
export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const path = join(folder, 'lock')
  const holder = parseHolder(await readText(path))
  if (holder === undefined) return undefined
  const isGone = await hasEnded(holder)
  if (isGone !== undefined) return isGone ? undefined : holder
  const renewedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
  return Date.now() - renewedAt < watchMs ? holder : undefined
}

export function parseHolder(text: string | undefined): LockHolder | undefined {
  return orUndefined((): LockHolder => JSON.parse(text ?? ''))
}

/** Whether the holder has ended. Undefined if this cannot be checked, because the holder is in another PID namespace, boot, or machine. */
export async function hasEnded(holder: LockHolder): Promise<boolean | undefined> {
  const self = await describeProcess(process.pid)
  const isSamePlace = holder.bootId === self.bootId && holder.pidNamespace === self.pidNamespace
  // Only Linux has a boot ID. On other systems, the host name identifies the machine.
  if (!isSamePlace || (self.bootId === '' && holder.host !== self.host)) return undefined
  if (!isRunning(holder.pid)) return true
  const now = await describeProcess(holder.pid)
  // On Linux, a process with state Z or X has exited, but its parent has not collected the exit code yet.
  return now.startedAt !== holder.startedAt || /^[ZX]/.test((await readStat(holder.pid)) ?? '')
}

/** The fields after the name in /proc/PID/stat. The name is in parentheses and may contain spaces. */
async function readStat(pid: number): Promise<string | undefined> {
  const text = await readText(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2)
}

/** On systems other than Linux, boot ID, namespace, and start time are empty, so only the process ID identifies a process. */
export async function describeProcess(pid: number): Promise<LockHolder> {
  const bootId = (await readText('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  const startedAt = (await readStat(pid))?.split(' ')[19] ?? ''
  return { host: hostname(), pid, bootId, pidNamespace, startedAt }
}

export async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
