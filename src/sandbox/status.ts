import { isRunning } from '../base/system/is-running.ts'
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
    // Keys must not be shown.
    keys: Object.values(store.keys).map(({ alias }) => alias),
    /** The address of the running `sandbox serve` process on this database. */
    serving: findServer(store) ?? null,
  }
}

/** Makes the links of other processes on this store lead to this server. */
export function announceServer(store: Store, url: string): void {
  store.run(
    `insert into setting (name, value) values ('serving', ?) on conflict (name) do update set value = excluded.value`,
    `${process.pid} ${url}`,
  )
}

export function withdrawServer(store: Store): void {
  store.run(`delete from setting where name = 'serving' and value like ?`, `${process.pid} %`)
}

/** Default port of `sandbox serve`. Links lead to it if no process serves the pages. */
const usualPort = 4010

/** The port of the pages. */
export function linkPort(store: Store): number {
  const url = findServer(store)
  return url === undefined ? usualPort : Number(new URL(url).port || 80)
}

/** The URL of the running process that serves this store. */
function findServer(store: Store): string | undefined {
  const row = store.get<{ value: string }>(`select value from setting where name = 'serving'`)
  const [pid, url] = row?.value.split(' ') ?? []
  return url && isRunning(Number(pid)) ? url : undefined
}
