import { expect, test } from 'vitest'
import type { FacescanError } from '../../../src/base/errors.ts'
import { refuseOlder } from '../../../src/bulk/journal/file.ts'
import { decodeRecord, encodeRecord } from '../../../src/bulk/journal/record.ts'
import { renderHints } from '../../../src/output/hint.ts'

test('a journal that is shorter than its recorded length is refused, and a hint shows how to remove the import', () => {
  const folder = '/state/imports/2026-01-01-abc'
  expect(() => refuseOlder(folder, 10, 10)).not.toThrow()
  let error: unknown
  try {
    refuseOlder(folder, 9, 10)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining('(9 of 10 bytes)') })
  expect(renderHints(error as FacescanError)).toContain('facescan imports remove 2026-01-01-abc')
})

test('a line of the journal is not a record if it contains only a checksum', () => {
  expect(decodeRecord(Buffer.from('{"crc":"00000000",'), 0)).toBeUndefined()
  const { line, crc } = encodeRecord({ type: 'ACK' }, 0)
  expect(decodeRecord(Buffer.from(line.trimEnd()), 0)).toEqual({ record: { type: 'ACK' }, crc })
})
