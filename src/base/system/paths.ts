import { homedir } from 'node:os'
import { posix, resolve, win32 } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import type { Environment } from '../io.ts'

/** Where the program keeps things; undefined where the machine gives this user no home at all. */
export interface Paths {
  /** Profiles and key files. */
  config: string | undefined
  /** The audit log and the journals of imports. */
  state: string | undefined
  /** What can be deleted at any time. */
  cache: string | undefined
}

interface Habit {
  /** A variable that names the parent directory. */
  variable: string
  /** The parent directory inside the home where the variable says nothing. */
  home: readonly string[]
  /** The part below `facescan`. */
  below: string
}

const unixHabits: Record<keyof Paths, Habit> = {
  config: { variable: 'XDG_CONFIG_HOME', home: ['.config'], below: '' },
  state: { variable: 'XDG_STATE_HOME', home: ['.local', 'state'], below: '' },
  cache: { variable: 'XDG_CACHE_HOME', home: ['.cache'], below: '' },
}

const macHabits: Record<keyof Paths, Habit> = {
  config: { ...unixHabits.config, home: ['Library', 'Application Support'] },
  state: { ...unixHabits.state, home: ['Library', 'Application Support'], below: 'state' },
  cache: { ...unixHabits.cache, home: ['Library', 'Caches'] },
}

const windowsHabits: Record<keyof Paths, Habit> = {
  config: { variable: 'APPDATA', home: ['AppData', 'Roaming'], below: '' },
  state: { variable: 'LOCALAPPDATA', home: ['AppData', 'Local'], below: 'state' },
  cache: { variable: 'LOCALAPPDATA', home: ['AppData', 'Local'], below: 'cache' },
}

/** Finds the three directories from the environment and the habits of the platform; touches no file. */
export function resolvePaths(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  findHome: () => string | undefined = homeDirectory,
): Paths {
  const onWindows = platform === 'win32'
  const path = onWindows ? win32 : posix
  const home = env[onWindows ? 'USERPROFILE' : 'HOME'] || findHome()
  const habits = onWindows ? windowsHabits : platform === 'darwin' ? macHabits : unixHabits

  const locate = (habit: Habit): string | undefined => {
    const named = env[habit.variable]
    if (named && path.isAbsolute(named)) return path.join(named, 'facescan', habit.below)
    return home ? path.join(home, ...habit.home, 'facescan', habit.below) : undefined
  }
  const own = (name: string) => (env[name] ? resolve(env[name]) : undefined)
  return {
    config: own('FACESCAN_CONFIG_DIR') ?? locate(habits.config),
    state: own('FACESCAN_STATE_DIR') ?? locate(habits.state),
    cache: locate(habits.cache),
  }
}

const variables: Record<keyof Paths, string> = {
  config: 'FACESCAN_CONFIG_DIR',
  state: 'FACESCAN_STATE_DIR',
  cache: 'XDG_CACHE_HOME',
}

/** The directory to write to, or a clear error where there is none. */
export function requireDirectory(paths: Paths, kind: keyof Paths): string {
  const directory = paths[kind]
  if (directory) return directory
  throw new ConfigurationError(`no home directory for ${kind} files`, {
    hint: `Set ${variables[kind]} to a directory that only you can read.`,
  })
}

function homeDirectory(): string | undefined {
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}
