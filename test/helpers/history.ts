import { readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Name of the file to which this machine writes the audit log. */
export function logName(month = new Date().toISOString().slice(0, 7)): string {
  return `history-${month}-${hostname()}.ndjson`
}

/** Path of the file with the latest entries of the audit log in a state directory. */
export function findLog(state: string): string {
  const names = readdirSync(state).filter((name) => /^history.*\.ndjson$/.test(name))
  return join(state, names.toSorted().at(-1) ?? logName())
}
