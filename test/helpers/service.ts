import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'

export interface Service extends Sandbox {
  /** Its database file. */
  database: string
}

/** The service as a server of its own, with a development and a production key, as profiles know it. */
export async function startService(): Promise<Service> {
  const database = join(mkdtempSync(join(tmpdir(), 'facescan-service-')), 'service.db')
  return { ...(await startSandbox({ database })), database }
}
