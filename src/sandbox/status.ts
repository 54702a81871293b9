import * as z from 'zod/mini'
import { findServer } from './serving.ts'
import type { Store } from './store.ts'

export const statusSchema = z.strictObject({
  database: z.string(),
  customer: z.string(),
  users: z.int(),
  face_scans: z.int(),
  answers: z.int(),
  keys: z.array(z.string()),
  /** The URL of the running `sandbox serve` process that uses this database. */
  serving: z.nullable(z.string()),
})

export type Status = z.infer<typeof statusSchema>

export async function status(store: Store): Promise<Status> {
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
