import { homedir } from 'node:os'
import { posix, resolve, win32 } from 'node:path'
import { attempt } from '../attempt.ts'
import { ConfigurationError } from '../errors.ts'
import type { Environment } from '../io.ts'

/** The directories of the program; undefined if the user has no home directory. */
export interface Paths {
  /** Profiles and key files. */
  config: string | undefined
  /** The audit log and the journals of imports. */
  state: string | undefined
  /** Files that can be deleted at any time. */
  cache: string | undefined
}

interface Convention {
  /** A variable that names the parent directory. */
  variable: string
  /** The parent directory inside the home directory, if the variable is not set. */
  home: readonly string[]
  /** Subdirectory of `facescan`. */
  below: string
}

const unixConventions: Record<keyof Paths, Convention> = {
  config: { variable: 'XDG_CONFIG_HOME', home: ['.config'], below: '' },
  state: { variable: 'XDG_STATE_HOME', home: ['.local', 'state'], below: '' },
  cache: { variable: 'XDG_CACHE_HOME', home: ['.cache'], below: '' },
}

const macConventions: Record<keyof Paths, Convention> = {
  config: { ...unixConventions.config, home: ['Library', 'Application Support'] },
  state: { ...unixConventions.state, home: ['Library', 'Application Support'], below: 'state' },
  cache: { ...unixConventions.cache, home: ['Library', 'Caches'] },
}

const windowsConventions: Record<keyof Paths, Convention> = {
  config: { variable: 'APPDATA', home: ['AppData', 'Roaming'], below: '' },
  state: { variable: 'LOCALAPPDATA', home: ['AppData', 'Local'], below: 'state' },
  cache: { variable: 'LOCALAPPDATA', home: ['AppData', 'Local'], below: 'cache' },
}

/** Determines the three directories from the environment and the conventions of the platform. Accesses no file. */
export function resolvePaths(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  findHome: () => string | undefined = homeDirectory,
): Paths {
  const onWindows = platform === 'win32'
  const path = onWindows ? win32 : posix
  const home = env[onWindows ? 'USERPROFILE' : 'HOME'] || findHome()
  const conventions = onWindows
    ? windowsConventions
    : platform === 'darwin'
      ? macConventions
      : unixConventions

  const locate = (convention: Convention): string | undefined => {
    const named = env[convention.variable]
    if (named && path.isAbsolute(named)) return path.join(named, 'facescan', convention.below)
    return home ? path.join(home, ...convention.home, 'facescan', convention.below) : undefined
  }
  const own = (name: string) => (env[name] ? resolve(env[name]) : undefined)
  return {
    config: own('FACESCAN_CONFIG_DIR') ?? locate(conventions.config),
    state: own('FACESCAN_STATE_DIR') ?? locate(conventions.state),
    cache: locate(conventions.cache),
  }
}

const variables: Record<keyof Paths, string> = {
  config: 'FACESCAN_CONFIG_DIR',
  state: 'FACESCAN_STATE_DIR',
  cache: 'XDG_CACHE_HOME',
}

/** The directory for writing. Throws if the user has no home directory. */
export function requireDirectory(paths: Paths, kind: keyof Paths): string {
  const directory = paths[kind]
  if (directory) return directory
  throw new ConfigurationError(
    `cannot choose a directory for ${kind} files: this user has no home directory`,
    {
      hint: `Set ${variables[kind]} to a directory that only you can read.`,
    },
  )
}

function homeDirectory(): string | undefined {
  return attempt(homedir) || undefined
}
