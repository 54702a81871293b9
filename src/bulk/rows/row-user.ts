import { isPrintableAscii } from '../scan/cell-bytes.ts'
import type { Cells } from '../scan/cells.ts'
import type { Reason, UserKind } from '../types.ts'
import type { Layout } from './layout.ts'
import { maxUserBytes, whyNoUser } from './reasons.ts'

/** The kind of ID that names the user of a row: user_id only if external_user_id is missing or empty. */
export function userKindIn(cells: Cells, { columns }: Layout): UserKind {
  const { external_user_id: external, user_id: internal } = columns
  return external < 0 || (internal >= 0 && cells.isEmpty(external)) ? 'user_id' : 'external_user_id'
}

/** The reason why a row names no valid user. */
export function whyNoUserIn(cells: Cells, { columns, names }: Layout, kind: UserKind): Reason | undefined {
  const column = columns[kind]
  const start = cells.starts[column] as number
  const end = cells.ends[column] as number
  const isExternal = kind === 'external_user_id'
  // Faster than the other checks, and true for nearly every row.
  const isUsual = isExternal && end > start && end - start <= maxUserBytes
  if (!isUsual || !isPrintableAscii(cells.bytes, start, end)) {
    const why = whyNoUser(cells.bytes.subarray(start, end), kind)
    if (why) return { column: names[column], ...why }
  }
  if (!isExternal || columns.user_id < 0 || cells.isEmpty(columns.user_id)) return undefined
  const message = 'the row has both an external_user_id and a user_id'
  return { column: names[column], code: 'user_both', message }
}
