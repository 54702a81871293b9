import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { orUndefined } from '../or-undefined.ts'

/** A place that other users can read or replace, and how to fix it. */
export interface ModeProblem {
  message: string
  hint: string
}

let trustedOwner: number | undefined

/** Lets root use the files of one other user (`--trust-owner`), such as a folder that is mounted into a container. */
export function trustOwner(uid: number | undefined): void {
  trustedOwner = uid
}

const secret = 0o077
const changeable = 0o022

/**
 * Returns the problem with the owner or the mode of a file or directory; undefined if there is none or the path does not exist.
 * `isPublic`: other users may read the file, but not change it.
 */
export function findModeProblem(path: string, isPublic = false): ModeProblem | undefined {
  const found = look(path)
  if (process.platform === 'win32' || !found) return undefined
  const stranger = findStranger(path, found)
  if (stranger) return stranger
  // The names in a directory are not secret, but a user who can write to it can replace the files.
  const forbidden = found.isDirectory() || isPublic ? changeable : secret
  if ((found.mode & forbidden) === 0) return undefined
  return openTo(path, found, `chmod ${found.isDirectory() ? '700' : '600'} '${path}'`)
}

/** Throws if other users can replace the directory or one of its parents. Missing directories are not checked. */
export function assertOwnDirectory(directory: string): void {
  refuse(findDirectoryProblem(directory))
}

/** Throws if other users can read or replace the file, or replace its directory. */
export function assertOwnerOnly(path: string, isPublic = false): void {
  assertOwnDirectory(dirname(path))
  refuse(findModeProblem(path, isPublic))
}

/** Throws if root would use a file of another user. Other users may read a mounted secret that belongs to root. */
export function assertOwnerForRoot(path: string): void {
  const found = process.getuid?.() === 0 ? look(path) : undefined
  if (found) refuse(findStranger(path, found))
}

/** A sticky directory such as /tmp is safe as a parent. */
function findDirectoryProblem(directory: string): ModeProblem | undefined {
  if (process.platform === 'win32') return undefined
  const problem = look(directory)?.isDirectory() ? findModeProblem(directory) : undefined
  if (problem) return problem
  let path = directory
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path)
  path = orUndefined(() => realpathSync(path)) ?? path
  for (path = existsSync(directory) ? dirname(path) : path; ; path = dirname(path)) {
    const found = look(path)
    if (!found) return undefined
    const stranger = found.uid === 0 ? undefined : findStranger(path, found)
    if (stranger) return stranger
    if (isReplaceable(found)) return openTo(path, found, `chmod go-w '${path}'`)
    if (path === dirname(path)) return undefined
  }
}

function findStranger(path: string, { uid }: Stats): ModeProblem | undefined {
  const self = process.getuid?.()
  if (self === undefined || self === uid) return undefined
  const message = `${path} is owned by another user`
  if (self !== 0) return { message, hint: `Run: chown $(id -u) '${path}'` }
  if (uid === trustedOwner) return undefined
  return {
    message: `${message} (ID ${uid}), and root uses only its own files`,
    hint: `Run the command as that user. To accept the files of that user, add --trust-owner ${uid}.`,
  }
}

/** Many systems give each user a private group, so its only member is the owner. */
function isReplaceable({ mode, gid }: Stats): boolean {
  const isSticky = (mode & 0o1000) !== 0
  const isOpenToGroup = (mode & 0o020) !== 0 && gid !== process.getgid?.()
  return !isSticky && ((mode & 0o002) !== 0 || isOpenToGroup)
}

function openTo(path: string, { mode }: Stats, fix: string): ModeProblem {
  const digits = (mode & 0o777).toString(8).padStart(4, '0')
  return { message: `other users can access ${path} (mode ${digits})`, hint: `Run: ${fix}` }
}

function look(path: string): Stats | undefined {
  return orUndefined(() => statSync(path))
}

function refuse(problem: ModeProblem | undefined): void {
  if (problem) throw new ConfigurationError(problem.message, { hint: problem.hint })
}
