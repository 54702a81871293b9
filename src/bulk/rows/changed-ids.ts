import { UsageError } from '../../base/errors.ts'
import { RecordReader } from './record-reader.ts'
import type { Table } from './table.ts'

/** IDs that were trimmed or padded: as they are used, and as they are written in the file. */
export type ChangedIds = ReadonlyMap<string, string>

/** Refuses a file in which a changed ID equals another ID: the rows may be about different people. */
export async function refuseMergedIds(table: Table, changed: ChangedIds): Promise<void> {
  if (changed.size === 0) return
  const column = table.layout.columns.external_user_id
  const records = new RecordReader({ ...table, ids: { isExact: true, isChecked: false, padTo: 0 } })
  for await (const _position of records.positions()) {
    while (records.next()) {
      const written = records.cells()?.text(column) ?? ''
      const other = changed.get(written) ?? changed.get(records.usedId(written, table.ids.padTo))
      if (other === undefined || other === written || written === '') continue
      throw new UsageError(
        `"${other}" and "${written}" (line ${records.scanner.line}) of ${table.input.name} are the same user ID after spaces are removed and zeros are restored`,
        { hint: 'Correct the IDs, or use them as they are written with --ids exact.' },
      )
    }
  }
}
