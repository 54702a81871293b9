import { join } from 'node:path'
import { type Paths, requireDirectory } from '../base/paths.ts'
import { createService } from './service.ts'
import { linkPort } from './serving.ts'
import { openStore } from './store.ts'

export { assertNotServed, findServer, type Status, status } from './serving.ts'
export { openStore, reset, type Store } from './store.ts'

export function builtInDatabase(paths: Paths): string {
  return join(requireDirectory(paths, 'state'), 'sandbox.db')
}

/** Opens the service for calls from this process, without a port. */
export async function openSandbox(database: string, clock: { now: () => number }) {
  const store = await openStore(database, { isBuiltIn: true })
  return {
    /** The URL of this service for other processes. It works while `sandbox serve` runs. */
    origin: `http://sandbox.localhost:${await linkPort(store)}`,
    key: store.keys.development.key,
    handle: createService({
      store,
      now: clock.now,
      revision: 'both',
      publicPort: () => linkPort(store),
      isStrict: false,
    }),
    close: store.close,
  }
}
