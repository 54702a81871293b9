import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a script that counts operations on files whose path matches `paths`, and kills its process before one of these operations. The
 * environment variable KILL_AT is the number of this operation, or `exit` for the end of the process.
 */
export function writeKillScript(folder: string, paths: RegExp): Record<string, string> {
  const script = join(folder, 'preload.cjs')
  writeFileSync(script, killAtUse(paths))
  return { NODE_OPTIONS: `--require ${script}` }
}

export function countUses(folder: string): number {
  return readFileSync(join(folder, 'uses'), 'utf8').length
}

const killAtUse = (paths: RegExp) => `
  const fs = require('node:fs')
  const { join } = require('node:path')
  const left = { uses: Number(process.env.KILL_AT) }
  const opened = new Set()
  // Reading the clock advances the time by a second, so that the state of a list is saved after each row.
  if (process.env.CLOCK_JUMPS) {
    const { hrtime } = process
    let jumps = 0
    process.hrtime = Object.assign(() => [hrtime()[0] + ++jumps, 0], hrtime)
  }
  const isMatch = (path) => opened.has(path) || ${paths}.test(String(path))
  const use = () => {
    if (--left.uses === 0) process.kill(process.pid, 'SIGKILL')
    fs.appendFileSync(join(__dirname, 'uses'), '.')
  }
  if (process.env.KILL_AT === 'exit') process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
  for (const name of ['openSync', 'writeSync', 'renameSync', 'rmSync', 'writeFileSync']) {
    const real = fs[name]
    fs[name] = (path, ...rest) => {
      const isUse = isMatch(path)
      if (isUse) use()
      const result = real(path, ...rest)
      if (isUse && name === 'openSync') opened.add(result)
      return result
    }
  }
  const { closeSync } = fs
  fs.closeSync = (fd) => {
    opened.delete(fd)
    closeSync(fd)
  }
  require('node:module').syncBuiltinESMExports()`
