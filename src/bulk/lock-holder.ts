import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isRunning } from '../base/process.ts'

/** The process that holds a lock. A later process can have the same process ID, but not the same boot ID and start time. */
export interface LockHolder {
  host: string
  pid: number
  bootId: string
  /** PID namespace. In another namespace, such as a container, the same process ID belongs to a different process. */
  pidNamespace: string
  startedAt: string
}

/**
 * Whether the process has ended. Undefined if the process cannot be checked: it is in another PID namespace or on another machine, or a
 * machine with the same name was restarted.
 */
export async function hasEnded(holder: LockHolder): Promise<boolean | undefined> {
  const self = await describeProcess(process.pid)
  const isSamePlace = holder.bootId === self.bootId && holder.pidNamespace === self.pidNamespace
  // Without a boot ID (not on Linux), only the host name identifies the machine.
  if (!isSamePlace || (self.bootId === '' && holder.host !== self.host)) return undefined
  if (!isRunning(holder.pid)) return true
  const now = await describeProcess(holder.pid)
  return now.startedAt !== holder.startedAt || hasExited(holder.pid)
}

/** Whether the process has exited but its parent has not collected it yet. Linux only. */
async function hasExited(pid: number): Promise<boolean> {
  return /^[ZX]/.test((await readStat(pid)) ?? '')
}

/** The fields after the name in /proc/PID/stat. The name is in parentheses and may contain spaces. */
async function readStat(pid: number): Promise<string | undefined> {
  const text = await readText(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2)
}

/**
 * Describes this process. Boot ID, namespace, and start time exist only on Linux. On other systems they are empty, and only the process ID
 * is compared.
 */
export async function describeProcess(pid: number): Promise<LockHolder> {
  const bootId = (await readText('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  const startedAt = (await readStat(pid))?.split(' ')[19] ?? ''
  return { host: hostname(), pid, bootId, pidNamespace, startedAt }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
