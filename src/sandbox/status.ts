import { isRunning } from '../base/process.ts'
import type { Store } from './store.ts'

export function status(store: Store) {
  const count = (table: 'user' | 'scan' | 'answer') =>
    store.get<{ total: number }>(`select count(*) as total from ${table}`)?.total ?? 0
  return {
    database: store.path,
    customer: store.customer,
    users: count('user'),
    face_scans: count('scan'),
    answers: count('answer'),
    // Only the aliases are returned, because the keys themselves must not be shown.
    keys: Object.values(store.keys).map(({ alias }) => alias),
    /** The address of the running `sandbox serve` process on this database. */
    serving: findServer(store) ?? null,
  }
}

/** Makes the links of other processes with this store lead to this server. */
export function announceServer(store: Store, url: string): void {
  store.run(
    'insert or replace into setting (name, value) values (?, ?)',
    `serving ${url}`,
    String(process.pid),
  )
}

export function withdrawServer(store: Store, url: string): void {
  store.run('delete from setting where name = ?', `serving ${url}`)
}

/** Default port of `sandbox serve`. Links lead to this port if no process serves the pages. */
const usualPort = 4010

/** The port in links to the pages. */
export function linkPort(store: Store): number {
  const url = findServer(store)
  return url === undefined ? usualPort : Number(new URL(url).port || 80)
}

/**
 * The URL of the running process that serves this store (the latest if there are several). A killed process leaves its row in the table.
 */
function findServer(store: Store): string | undefined {
  const rows = store.all<{ name: string; value: string }>(
    `select name, value from setting where name like 'serving %' order by rowid desc`,
  )
  return rows.find(({ value }) => isRunning(Number(value)))?.name.slice('serving '.length)
}
