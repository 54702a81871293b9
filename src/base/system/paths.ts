import { homedir } from 'node:os'
import { posix, resolve, win32 } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import type { Environment } from '../io.ts'
import { orUndefined } from '../or-undefined.ts'
import { assertOwnDirectory } from './ownership.ts'

/** The directories of the program; undefined if the user has no home directory. */
export interface Paths {
  /** Profiles and key files. */
  config: string | undefined
  /** The audit log and the journals of imports. */
  state: string | undefined
  /** Files that can be deleted at any time. */
  cache: string | undefined
}

/** A variable that names the parent of the `facescan` directory, its default in the home directory, and a subdirectory. */
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

/** Determines the three directories from the environment and the conventions of the platform. Accesses no file. */
export function resolvePaths(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  findHome: () => string | undefined = homeDirectory,
): Paths {
  const onWindows = platform === 'win32'
  const path = onWindows ? win32 : posix
  const usual = conventions[onWindows ? 'windows' : platform === 'darwin' ? 'mac' : 'unix']
  const home = env[onWindows ? 'USERPROFILE' : 'HOME'] || findHome()
  const locate = ([variable, inHome, below = '']: Convention): string | undefined => {
    const named = env[variable]
    if (named && path.isAbsolute(named)) return path.join(named, 'facescan', below)
    return home ? path.join(home, inHome, 'facescan', below) : undefined
  }
  const own = (name: string) => (env[name] ? resolve(env[name]) : undefined)
  return {
    config: own('FACESCAN_CONFIG_DIR') ?? locate(usual.config),
    state: own('FACESCAN_STATE_DIR') ?? locate(usual.state),
    cache: locate(usual.cache),
  }
}

/** A directory that holds configuration or state. Throws if the user has no home directory, or if other users can replace the directory. */
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

function homeDirectory(): string | undefined {
  return orUndefined(homedir) || undefined
}
