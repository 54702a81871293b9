import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'

/** The service as a server of its own, with a development and a production key, as profiles know it. */
export function startService(): Promise<Sandbox> {
  return startSandbox({ database: join(mkdtempSync(join(tmpdir(), 'facescan-service-')), 'service.db') })
}
