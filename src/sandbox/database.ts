import { isBuiltin } from 'node:module'
import { ConfigurationError, systemCode } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'

type Value = string | number | null

/** The parameter values of a statement: in order, or by name (`:name`). */
type Values = Value[] | [Readonly<Record<string, Value>>]

interface Statement {
  run(...values: Values): { changes: number | bigint }
  all(...values: Values): unknown[]
}

interface Driver {
  prepare(sql: string): Statement
  exec(sql: string): unknown
  close(): unknown
}

/** The part of SQLite that the sandbox uses. Repeated statements are fast, because they are prepared once and cached by their text. */
export interface Database {
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Values): number
  all<Row>(sql: string, ...values: Values): Row[]
  get<Row>(sql: string, ...values: Values): Row | undefined
  exec(sql: string): void
  /** Runs `work` in one transaction. If `work` throws, nothing is stored. Other processes wait for the end of the transaction. */
  transaction<T>(work: () => T): T
  close: () => void
}

export const driverNames = ['node:sqlite', 'libsql'] as const
export type DriverName = (typeof driverNames)[number]

export const busyTimeoutMs = 10_000

const drivers: Record<DriverName, (path: string) => Promise<Driver>> = {
  async 'node:sqlite'(path) {
    // The types for the oldest supported Node do not include this module. The type `string` keeps the compiler from looking for it.
    const name: string = 'node:sqlite'
    const { emitWarning } = process
    // Hides the warning of Node 22 and 24 that SQLite is experimental.
    process.emitWarning = () => {}
    try {
      const { DatabaseSync }: { DatabaseSync: new (path: string) => Driver } = await import(name)
      return new DatabaseSync(path)
    } finally {
      process.emitWarning = emitWarning
    }
  },
  async libsql(path) {
    const { default: Libsql } = await import('libsql')
    return new Libsql(path) as unknown as Driver
  },
}

interface DatabaseOptions {
  /** SQLite driver. The default is node:sqlite. libsql is used if this version of Node has no node:sqlite. */
  driver?: DriverName | undefined
  /** Converts the errors of statements and transactions. */
  explain?: (error: unknown) => unknown
}

export async function openDatabase(
  path: string,
  {
    driver: name = isBuiltin('node:sqlite') ? 'node:sqlite' : 'libsql',
    explain = (error) => error,
  }: DatabaseOptions = {},
): Promise<Database> {
  const driver = await drivers[name](path).catch((cause) => {
    if (!/MODULE_NOT_FOUND|UNKNOWN_BUILTIN_MODULE|ERR_DLOPEN_FAILED/.test(systemCode(cause) ?? ''))
      throw cause
    throw new ConfigurationError('the sandbox needs SQLite, but SQLite is not available', {
      hint: 'Use Node 22.13 or later, which includes SQLite, or reinstall facescan-cli with its optional dependencies.',
      cause,
    })
  })
  driver.exec(`
    pragma busy_timeout = ${busyTimeoutMs};
    pragma synchronous = normal;
    pragma wal_autocheckpoint = 4000;
    pragma foreign_keys = on;
  `)
  return wrap(driver, explain)
}

function wrap(driver: Driver, explain: (error: unknown) => unknown): Database {
  const statements = new Map<string, Statement>()
  let isInTransaction = false
  const use = <Result>(sql: string, work: (statement: Statement) => Result): Result => {
    try {
      const statement = statements.get(sql) ?? driver.prepare(sql)
      statements.set(sql, statement)
      return work(statement)
    } catch (error) {
      throw explain(error)
    }
  }
  return {
    run: (sql, ...values) => Number(use(sql, (statement) => statement.run(...values)).changes),
    all: (sql, ...values) => use(sql, (statement) => statement.all(...values)) as never[],
    // `get` of libsql adds timing fields, so `all` is used.
    get: (sql, ...values) => use(sql, (statement) => statement.all(...values))[0] as undefined,
    exec: (sql) => void driver.exec(sql),
    transaction: (work) => {
      if (isInTransaction) return work()
      try {
        driver.exec('begin immediate')
        isInTransaction = true
        const result = work()
        driver.exec('commit')
        return result
      } catch (error) {
        // On a full disk, SQLite rolls back the transaction itself. A second rollback would fail.
        orUndefined(() => driver.exec('rollback'))
        throw explain(error)
      } finally {
        isInTransaction = false
      }
    },
    close: () => void driver.close(),
  }
}
