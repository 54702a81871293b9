import { existsSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, posix, resolve, win32 } from 'node:path'
import { ConfigurationError } from './errors.ts'
import { orUndefined } from './functions.ts'
import type { Environment } from './io.ts'

/** Directories for the files of facescan. A directory is undefined if the user has no home directory. */
export interface Paths {
  /** Directory for profiles and key files. */
  config: string | undefined
  /** Directory for the audit log and the journals of imports. */
  state: string | undefined
  /** Directory for files that can be deleted at any time. */
  cache: string | undefined
}

/** The variable for the parent directory, the default parent directory below the home directory, and an optional subdirectory. */
type Convention = readonly [variable: string, inHome: string, below?: string]

const conventions: Record<'unix' | 'mac' | 'windows', Record<keyof Paths, Convention>> = {
  unix: {
    config: ['XDG_CONFIG_HOME', '.config'],
    state: ['XDG_STATE_HOME', '.local/state'],
    cache: ['XDG_CACHE_HOME', '.cache'],
  },
  mac: {
    config: ['XDG_CONFIG_HOME', 'Library/Application Support'],
    state: ['XDG_STATE_HOME', 'Library/Application Support', 'state'],
    cache: ['XDG_CACHE_HOME', 'Library/Caches'],
  },
  windows: {
    config: ['APPDATA', 'AppData/Roaming'],
    state: ['LOCALAPPDATA', 'AppData/Local', 'state'],
    cache: ['LOCALAPPDATA', 'AppData/Local', 'cache'],
  },
}

/** Determines the three directories from the environment and the conventions of the platform, without accessing a file. */
export function resolvePaths(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  findHome: () => string | undefined = () => orUndefined(homedir) || undefined,
): Paths {
  const onWindows = platform === 'win32'
  const path = onWindows ? win32 : posix
  const usual = conventions[onWindows ? 'windows' : platform === 'darwin' ? 'mac' : 'unix']
  const home = env[onWindows ? 'USERPROFILE' : 'HOME'] || findHome()
  const locate = ([variable, inHome, below = '']: Convention, chosen?: string): string | undefined => {
    if (chosen) return resolve(chosen)
    const named = env[variable]
    if (named && path.isAbsolute(named)) return path.join(named, 'facescan', below)
    return home ? path.join(home, inHome, 'facescan', below) : undefined
  }
  return {
    config: locate(usual.config, env['FACESCAN_CONFIG_DIR']),
    state: locate(usual.state, env['FACESCAN_STATE_DIR']),
    cache: locate(usual.cache),
  }
}

/** A directory for configuration or state. Throws if the user has no home directory, or if other users can replace the directory. */
export function requireDirectory(paths: Paths, kind: 'config' | 'state'): string {
  const directory = paths[kind]
  if (directory) {
    assertOwnDirectory(directory)
    return directory
  }
  const problem = `cannot determine the directory for ${kind} files: your account has no home directory`
  throw new ConfigurationError(problem, {
    hint: `Set FACESCAN_${kind.toUpperCase()}_DIR to a directory that only you can read.`,
  })
}

export interface ModeProblem {
  message: string
  hint: string
}

let trustedOwner: number | undefined

/** Allows root to use the files of one other user (`--trust-owner`), such as those in a mounted directory of a container. */
export function trustOwner(uid: number | undefined): void {
  trustedOwner = uid
}

const secret = 0o077
const changeable = 0o022

/**
 * The problem with the owner or the mode of a file or directory. Undefined if there is no problem, if the path does not exist, and on
 * Windows. `isPublic` allows other users to read the file.
 */
export function findModeProblem(path: string, isPublic = false): ModeProblem | undefined {
  const found = look(path)
  if (process.platform === 'win32' || !found) return undefined
  const stranger = findStranger(path, found)
  if (stranger) return stranger
  // The names in a directory are not secret, so other users may read them. A user who can write to the directory can replace its files.
  const forbidden = found.isDirectory() || isPublic ? changeable : secret
  if ((found.mode & forbidden) === 0) return undefined
  return openTo(path, found, `chmod ${found.isDirectory() ? '700' : '600'} '${path}'`)
}

/** Throws if other users can replace the directory or one of its parents. A missing directory and a sticky parent are safe. */
export function assertOwnDirectory(directory: string): void {
  if (process.platform === 'win32') return
  refuse(findForeignLink(directory))
  if (look(directory)?.isDirectory()) refuse(findModeProblem(directory))
  assertParents(directory)
}

/** Throws if other users can write to a parent directory, because they could then replace the file or directory. */
function assertParents(path: string): void {
  let parent = dirname(realPath(path) ?? path)
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent)
  for (parent = realPath(parent) ?? parent; ; parent = dirname(parent)) {
    const found = look(parent)
    if (!found) return
    if (found.uid !== 0) refuse(findStranger(parent, found))
    const { mode, gid } = found
    const isSticky = (mode & 0o1000) !== 0
    // The user's own group usually contains only the user, so this group may write to the directory.
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getgid?.())
    if (isOpen && !isSticky) refuse(openTo(parent, found, `chmod go-w '${parent}'`))
    if (parent === dirname(parent)) return
  }
}

/**
 * Throws if other users can read or replace the file. Also throws if other users can replace its directory or, for a link, the directory of
 * the linked file.
 */
export function assertOwnerOnly(path: string, isPublic = false): void {
  assertOwnDirectory(dirname(path))
  if (process.platform !== 'win32') assertParents(path)
  refuse(findModeProblem(path, isPublic))
}

/**
 * Throws if root would use a file or a link of another user. The mode is not checked, because a secret that is mounted for root can be
 * readable for other users.
 */
export function assertOwnerForRoot(path: string): void {
  if (process.getuid?.() !== 0) return
  refuse(findForeignLink(path))
  assertOwner(path)
}

/** Throws if the file belongs to another user. Files of root are accepted, because root can replace each file. */
export function assertOwner(path: string): void {
  const found = look(path)
  if (found && found.uid !== 0) refuse(findStranger(path, found))
}

/** The path without symbolic links. Undefined if the file does not exist. */
export function realPath(path: string): string | undefined {
  return orUndefined(() => realpathSync(path))
}

/** Checks the owners of symbolic links, because the owner of a link can change its target after the check. */
function findForeignLink(directory: string): ModeProblem | undefined {
  for (let path = resolve(directory); path !== dirname(path); path = dirname(path)) {
    const found = orUndefined(() => lstatSync(path))
    const stranger = found?.isSymbolicLink() && found.uid !== 0 ? findStranger(path, found) : undefined
    if (stranger) return { ...stranger, hint: 'Use another path to the directory, without this link.' }
  }
  return undefined
}

function findStranger(path: string, { uid }: Stats): ModeProblem | undefined {
  const self = process.getuid?.()
  if (self === undefined || self === uid) return undefined
  const message = `${path} is owned by another user`
  // Only root can change the owner of a file.
  if (self !== 0) return { message, hint: `Run as root: chown ${self} '${path}'` }
  if (uid === trustedOwner) return undefined
  return {
    message: `${message} (ID ${uid}), and root uses only its own files`,
    hint: `Run the command as that user. To accept the files of that user, add --trust-owner ${uid}.`,
  }
}

function openTo(path: string, { mode }: Stats, fix: string): ModeProblem {
  const digits = (mode & 0o777).toString(8).padStart(4, '0')
  return { message: `other users can access ${path} (mode ${digits})`, hint: `Run: ${fix}` }
}

/** The state of a file or directory. Undefined if it does not exist or cannot be accessed. */
export function look(path: string): Stats | undefined {
  return orUndefined(() => statSync(path))
}

function refuse(problem: ModeProblem | undefined): void {
  if (problem) throw new ConfigurationError(problem.message, { hint: problem.hint })
}
