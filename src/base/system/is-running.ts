import { systemCode } from './system-code.ts'

/** Whether there is a process of that number on this machine, be it another user's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
