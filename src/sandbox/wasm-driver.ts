import { rmdirSync, statSync } from 'node:fs'
import type { Driver } from './driver.ts'

/** Slower and without a write-ahead log, but part of the package: what an old Node without network falls back to. */
export async function openWithWasm(path: string): Promise<Driver> {
  const { default: sqlite } = await import('node-sqlite3-wasm')
  clearStaleLock(`${path}.lock`)
  const database = new sqlite.Database(path)
  return {
    prepare(sql) {
      const statement = database.prepare(sql)
      return { run: (...values) => statement.run(values), all: (...values) => statement.all(values) }
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  }
}

/** No transaction of the sandbox lasts so long. */
const staleLockMs = 10_000

/** This library locks with a folder, which a killed process leaves behind; one that is never renewed belongs to nobody. */
function clearStaleLock(lock: string): void {
  for (;;) {
    const held = statSync(lock, { throwIfNoEntry: false })
    if (!held) return
    if (Date.now() - held.mtimeMs > staleLockMs) rmdirSync(lock)
    else sleepSync(50)
  }
}

export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
