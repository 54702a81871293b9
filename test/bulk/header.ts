import type { HeaderRecord } from '../../src/bulk/journal/record.ts'

/** The first record of a journal, of an import that nothing in a test depends on. */
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
