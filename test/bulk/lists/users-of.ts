import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { checkList, readList } from '../../../src/bulk/lists/read-list.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import { openTable } from '../../../src/bulk/rows/open-table.ts'
import type { Reading } from '../../../src/bulk/types.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

/**
 * One text for each row of a list. A valid row results in the line, the ID, and the user fields that the command reads. An invalid row
 * results in the line and the error code.
 */
export async function usersOf(
  text: string | Buffer,
  name = 'staff.csv',
  reading: Reading = {},
  kind: 'users' | 'list' = 'users',
): Promise<string[]> {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  const input = await openInput(path, new PassThrough())
  try {
    const known = ['birth_date', 'sex', 'language']
    const table = await openTable(input, { ...reading, kind, checksIds: true, known })
    await checkList({ table }, () => undefined)
    const found: string[] = []
    for await (const items of readList({ table }))
      for (const item of items)
        found.push(
          'reason' in item
            ? `${item.line} ${item.reason.code}`
            : [item.line, item.user.id, ...known.map(item.cell).filter(Boolean)].join(' '),
        )
    return found
  } finally {
    input.close()
  }
}
