import { createHmac } from 'node:crypto'
import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, FacescanError, systemReason } from '../base/errors.ts'
import { isPipe, makeDirectory } from '../base/files.ts'
import { assertOwnDirectory } from '../base/paths.ts'
import type { Settings } from './create-store.ts'
import { type Database, type DriverName, openDatabase } from './database.ts'

interface ApiKey {
  alias: string
  key: string
}

export interface Keys {
  development: ApiKey
  production: ApiKey
}

/** The data of the sandbox in one SQLite file. Several processes can use the file at the same time. */
export interface Store extends Database {
  path: string
  keys: Keys
  customer: string
  tokenSecret: Uint8Array
  /** Hashes an external user ID with a secret key, so that a copy of the database file contains no IDs. */
  hashExternalId(externalUserId: string): string
}

/** Suffix of the file that running servers lock. */
export const lockSuffix = '-serving'

const schemaVersion = 1

interface StoreOptions {
  driver?: DriverName
  /** Whether to create the store if its file is missing or empty (default true). */
  create?: boolean
  /** Whether the path is the database of the built-in sandbox. Errors about this database have special hints. */
  isBuiltIn?: boolean | undefined
}

/** Opens the store. Creates a missing store with new API keys. Several processes can do this at the same time. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    // SQLite applies a journal file next to the database, so other users must not be able to write to the directory.
    assertOwnDirectory(dirname(resolve(path)))
    // A pipe is refused, because opening it would block the process, and Ctrl-C would have no effect.
    if (isPipe(path)) throw new Error('a named pipe')
    if (options.create !== false) makeDirectory(dirname(path))
    // Opens the file first, because SQLite does not report why opening fails. SQLite gives its journal files the mode of this file.
    closeSync(openSync(path, options.create === false ? 'r+' : 'a', 0o600))
    return await open(path, options)
  } catch (error) {
    throw error instanceof FacescanError ? error : unusable(path, error as Error, options)
  }
}

const startOver = 'delete the sandbox data and start over: facescan sandbox reset'

function unusable(
  path: string,
  cause: NodeJS.ErrnoException,
  { isBuiltIn }: StoreOptions,
): ConfigurationError {
  const reason = cause.syscall ? systemReason(cause) : cause.message
  const check = 'Check the free disk space, and the permissions of the file and its directory.'
  const forBuiltIn = `To use another directory, set FACESCAN_STATE_DIR. To ${startOver}`
  return new ConfigurationError(`the sandbox database ${path} cannot be used (${reason})`, {
    hint: isBuiltIn ? `${check} ${forBuiltIn}` : check,
    cause,
  })
}

async function open(path: string, options: StoreOptions): Promise<Store> {
  // Some relative names have a special meaning in SQLite, such as :memory:, so the absolute path is used.
  const database = await openDatabase(resolve(path), {
    driver: options.driver,
    explain: (error) => {
      const isFixable = !(error instanceof FacescanError) && fixable.test((error as Error).message)
      return isFixable ? unusable(path, error as Error, options) : error
    },
  })
  if (!isInitialized(database, path, options)) {
    const { initialize } = await import('./create-store.ts')
    initialize(database, schemaVersion)
  }
  const rows = database.all<{ name: string; value: string }>('select name, value from setting')
  const settings = new Map(rows.map(({ name, value }) => [name, value]))
  const setting = (name: keyof Settings): string => {
    const value = settings.get(name)
    if (value === undefined) throw new Error(`setting ${name} is missing`)
    return value
  }
  const idSecret = Buffer.from(setting('id_secret'), 'hex')
  return {
    ...database,
    path,
    keys: {
      development: { alias: 'ACME-DEV', key: setting('development_key') },
      production: { alias: 'ACME', key: setting('production_key') },
    },
    customer: setting('customer'),
    tokenSecret: Buffer.from(setting('token_secret'), 'hex'),
    hashExternalId: (id) => createHmac('sha256', idSecret).update(id).digest('hex'),
  }
}

/** SQLite errors that a person can fix, such as a full disk. Other errors are defects of the sandbox. */
const fixable = /disk is full|disk I\/O|readonly|malformed|locked/

export function reset(path: string, options: StoreOptions = {}): void {
  try {
    for (const suffix of ['', '-wal', '-shm', lockSuffix]) rmSync(path + suffix, { force: true })
  } catch (error) {
    throw unusable(path, error as Error, options)
  }
}

/** Whether the store has its settings and version, which are written in one transaction. Throws if another program created the file. */
function isInitialized(
  database: Database,
  path: string,
  { create = true, isBuiltIn }: StoreOptions,
): boolean {
  // One statement reads both values, because another process may create the store at the same time.
  const count = 'select user_version as version, (select count(*) from sqlite_master) as tables'
  const { version, tables } = database.get<{ version: number; tables: number }>(
    `${count} from pragma_user_version`,
  ) ?? { version: 0, tables: 0 }
  if (version === 0 && (tables > 0 || !create)) {
    throw new ConfigurationError(`${path} is not a sandbox database; nothing was changed`, {
      hint: 'Check the path. "facescan sandbox serve --db FILE" creates a database in a new file.',
    })
  }
  if (version > schemaVersion) {
    throw new ConfigurationError('the sandbox database was written by a newer version of facescan', {
      hint: isBuiltIn ? `Update facescan, or ${startOver}` : 'Update facescan.',
    })
  }
  return version === schemaVersion
}
