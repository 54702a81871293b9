import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory that only its owner can enter, and the ones above it that are missing. Level by level, because Node's
 * recursive option never returns on a file system that answers "no such file" for a parent that is there, as /proc does.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!existsSync(path)) throw error
  }
}
