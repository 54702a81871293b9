import { isRunning } from '../base/system/is-running.ts'
import type { Store } from './store.ts'

export interface SandboxStatus {
  database: string
  customer: string
  users: number
  face_scans: number
  answers: number
  /** Aliases of the keys; the keys themselves are not for showing. */
  keys: string[]
  /** Where `sandbox serve` is running on this database, if it is. */
  serving: string | null
}

/** What the store holds. */
export function status(store: Store): SandboxStatus {
  const count = (table: 'user' | 'scan' | 'answer') =>
    store.database.prepare<{ total: number }>(`select count(*) as total from ${table}`).get()?.total ?? 0
  const port = servingPort(store)
  return {
    database: store.path,
    customer: store.customer,
    users: count('user'),
    face_scans: count('scan'),
    answers: count('answer'),
    keys: Object.values(store.keys).map(({ alias }) => alias),
    serving: port === undefined ? null : `http://127.0.0.1:${port}`,
  }
}

/** Lets other processes on this store hand out links that lead here. */
export function announcePort(store: Store, port: number): void {
  store.database
    .prepare(
      `insert into setting (name, value) values ('serving', ?) on conflict (name) do update set value = excluded.value`,
    )
    .run(`${process.pid}:${port}`)
}

export function withdrawPort(store: Store): void {
  store.database
    .prepare(`delete from setting where name = 'serving' and value like ?`)
    .run(`${process.pid}:%`)
}

/** The port of the process that serves this store, when it is alive. */
export function servingPort(store: Store): number | undefined {
  const row = store.database
    .prepare<{ value: string }>(`select value from setting where name = 'serving'`)
    .get()
  const [pid, port] = row?.value.split(':').map(Number) ?? []
  return pid && port && isRunning(pid) ? port : undefined
}
