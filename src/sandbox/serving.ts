import { closeSync, openSync } from 'node:fs'
import { RefusedError } from '../base/errors.ts'
import { isRunning } from '../base/process.ts'
import { type Database, openDatabase } from './database.ts'
import { lockSuffix, type Store } from './store.ts'

export async function assertNotServed(path: string): Promise<void> {
  if (!(await isServed(path))) return
  throw new RefusedError('the sandbox is in use by "facescan sandbox serve"', {
    hint: 'Stop "facescan sandbox serve" first.',
  })
}

/** Whether a server runs. Checks a lock, because a process ID can be reused, and is unknown outside its container. */
async function isServed(path: string): Promise<boolean> {
  const lock = await openLockFile(path)
  try {
    // A server holds the lock as long as it runs. Another check holds the lock for less than 1 ms, so a wait of 1 ms is enough.
    lock.exec('pragma busy_timeout = 1; begin exclusive; rollback')
    return false
  } catch {
    return true
  } finally {
    lock.close()
  }
}

export function openLockFile(path: string): Promise<Database> {
  const file = path + lockSuffix
  closeSync(openSync(file, 'a', 0o600))
  return openDatabase(file)
}

/** Default port of `sandbox serve`. Links lead to this port if no process serves the pages. */
const usualPort = 4010

export async function linkPort(store: Store): Promise<number> {
  const url = await findServer(store)
  return url === undefined ? usualPort : Number(new URL(url).port || 80)
}

/** The URL of the latest server of this store. A killed server leaves its row, so rows of running processes are preferred. */
export async function findServer(store: Store): Promise<string | undefined> {
  const rows = store.all<{ name: string; value: string }>(
    `select name, value from setting where name like 'serving %' order by rowid desc`,
  )
  if (rows.length === 0 || !(await isServed(store.path))) return undefined
  const row = rows.find(({ value }) => isRunning(Number(value))) ?? rows[0]
  return row?.name.slice('serving '.length)
}

export type Status = Awaited<ReturnType<typeof status>>

export async function status(store: Store) {
  const count = (table: 'user' | 'scan' | 'answer') =>
    store.get<{ total: number }>(`select count(*) as total from ${table}`)?.total ?? 0
  return {
    database: store.path,
    customer: store.customer,
    users: count('user'),
    face_scans: count('scan'),
    answers: count('answer'),
    // Returns only the aliases, because the keys must not be shown.
    keys: Object.values(store.keys).map(({ alias }) => alias),
    serving: (await findServer(store)) ?? null,
  }
}
