import { ConfigurationError } from '../base/errors.ts'
import { systemCode } from '../base/system/system-code.ts'
import type { Driver, Statement } from './driver.ts'
import { openWithWasm, sleepSync } from './wasm-driver.ts'

/** What the sandbox asks of SQLite, small enough that more than one library can answer it. */
export interface Database {
  /** Statements are kept, so that asking twice for the same text costs nothing. */
  prepare<Row = unknown>(sql: string): Statement<Row>
  exec(sql: string): void
  /** Runs `work` as one write: all of it is stored, or, when it throws, nothing. Other processes wait for it. */
  transaction<T>(work: () => T): T
  close(): void
}

export const driverNames = ['libsql', 'node:sqlite', 'wasm'] as const
export type DriverName = (typeof driverNames)[number]

const busyTimeoutMs = 10_000

const drivers: Record<DriverName, (path: string) => Promise<Driver>> = {
  async libsql(path) {
    const { default: Libsql } = await import('libsql')
    return new Libsql(path) as unknown as Driver
  },
  async 'node:sqlite'(path) {
    // Its types are missing from the oldest supported Node, as is the module itself.
    const name: string = 'node:sqlite'
    const load = () => import(name) as Promise<{ DatabaseSync: new (path: string) => Driver }>
    const { DatabaseSync } = await withoutWarnings(load)
    return new DatabaseSync(path)
  },
  wasm: openWithWasm,
}

/** Node 22 and 24 call their SQLite experimental on stderr, which is the place for what concerns the person. */
async function withoutWarnings<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return await load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Opens an SQLite file with the named library, or with the first one that this machine has. */
export async function openDatabase(path: string, name?: DriverName): Promise<Database> {
  const driver = await load(path, name ? [name] : driverNames)
  driver.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  switchToWriteAheadLog(driver)
  driver.exec('pragma synchronous = normal')
  driver.exec('pragma foreign_keys = on')
  return wrap(driver)
}

async function load(path: string, names: readonly DriverName[]): Promise<Driver> {
  const failures: unknown[] = []
  for (const name of names) {
    try {
      return await drivers[name](path)
    } catch (error) {
      if (!isMissingLibrary(error)) throw error
      failures.push(error)
    }
  }
  throw new ConfigurationError('no SQLite library can be loaded on this machine', {
    hint: 'Reinstall facescan-cli with its dependencies, or use Node 22.13 or newer, which has SQLite built in.',
    cause: failures[0],
  })
}

function isMissingLibrary(error: unknown): boolean {
  return /MODULE_NOT_FOUND|UNKNOWN_BUILTIN_MODULE|ERR_DLOPEN_FAILED/.test(systemCode(error) ?? '')
}

/** SQLite does not wait for a lock while it changes the journal, so two first starts at once are told apart here. */
function switchToWriteAheadLog(driver: Driver): void {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      driver.prepare('pragma journal_mode = wal').all()
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      sleepSync(20)
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}

function wrap(driver: Driver): Database {
  const statements = new Map<string, Statement>()
  let depth = 0
  return {
    prepare<Row>(sql: string) {
      const statement = statements.get(sql) ?? firstOfAll(driver.prepare(sql))
      statements.set(sql, statement)
      return statement as Statement<Row>
    },
    exec: (sql) => void driver.exec(sql),
    transaction(work) {
      if (depth > 0) return work()
      driver.exec('begin immediate')
      depth += 1
      try {
        const result = work()
        driver.exec('commit')
        return result
      } catch (error) {
        driver.exec('rollback')
        throw error
      } finally {
        depth -= 1
      }
    },
    close: () => void driver.close(),
  }
}

// A single row is asked for as a list, which libsql answers without adding timings to it, and which leaves no WebAssembly
// statement open.
function firstOfAll(statement: Pick<Statement, 'run' | 'all'>): Statement {
  return {
    run: (...values) => statement.run(...values),
    all: (...values) => statement.all(...values),
    get: (...values) => statement.all(...values)[0],
  }
}
