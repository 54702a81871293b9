import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'

export interface Service extends Sandbox {
  /** Path of the database file. */
  database: string
}

/** Starts the sandbox as a separate server with a development key and a production key. */
export async function startService(): Promise<Service> {
  const database = join(mkdtempSync(join(tmpdir(), 'facescan-service-')), 'service.db')
  return { ...(await startSandbox({ strict: true, database })), database }
}
