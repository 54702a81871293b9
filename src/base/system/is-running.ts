import { systemCode } from './system-code.ts'

/** Whether a process with this ID is running on this machine, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
