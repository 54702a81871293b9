import type { HeaderRecord } from '../../src/bulk/journal/record.ts'

/** A header record for tests that do not depend on its values. */
export const header: HeaderRecord = {
  type: 'HEADER',
  version: 1,
  id: 'test',
  tool: '0',
  at: 0,
  source: '-',
  identity: { sha256: '', bytes: 0 },
  settings: { batchSize: 100 },
  skipInvalid: false,
  keys: [],
  profile: 'TEST-DEV',
  host: '127.0.0.1',
  rows: 0,
  invalid: 0,
}
