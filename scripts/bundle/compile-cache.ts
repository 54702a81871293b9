import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/**
 * Makes Node 22.1 and later store compiled code in the cache directory. V8 runs this code without checks. Another user who can write to
 * the directory could therefore run code as this user, so the directory is checked first.
 */
export function enableCompileCache(cacheDirectory: string | undefined): void {
  const { enableCompileCache: enable } = module as { enableCompileCache?: (directory: string) => unknown }
  if (!enable || cacheDirectory === undefined) return
  const directory = join(cacheDirectory, 'compiled')
  if (prepareDirectory(directory)) enable(directory)
}

/**
 * Creates a directory with mode 0700. Returns whether only this user and root can change the directory and its parents. The check goes from
 * the root directory down, because other users cannot replace a directory inside a safe directory.
 */
export function prepareDirectory(directory: string): boolean {
  // Windows does not report owners and permissions, so no directory counts as safe.
  const user = process.getuid?.()
  if (user === undefined) return false
  const names = directory.split('/').filter(Boolean)
  const paths = names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
  try {
    return ['/', ...paths].every((path) => isSafe(path, user)) && lstatSync(directory).uid === user
  } catch {
    return false
  }
}

const writableByOthers = 0o022
/** In a sticky directory such as /tmp, only the owner of an entry can rename or remove it. */
const sticky = 0o1000

function isSafe(path: string, user: number): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 })
  const found = lstatSync(path)
  const isProtected = (found.mode & writableByOthers) === 0 || (found.mode & sticky) !== 0
  // lstat does not follow links, so a link is not a directory here.
  return found.isDirectory() && isProtected && (found.uid === user || found.uid === 0)
}
