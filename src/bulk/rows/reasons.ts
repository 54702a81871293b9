import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../base/errors.ts'
import { count } from '../../base/text.ts'
import { uuidPattern } from '../../contract/values.ts'
import { shownMark } from '../scan/cell-bytes.ts'
import { type Cells, trimmedText } from '../scan/cells.ts'
import type { Fault } from '../scan/scanner.ts'
import type { Reason, UserKind } from '../types.ts'
import type { Layout } from './layout.ts'
import { type IdRules, isUsualId, shownId, whyDamaged } from './user-ids.ts'

/** Maximum length of an ID in bytes. A longer ID does not fit into a URL. */
export const maxUserBytes = 1024

export type Cause = Pick<Reason, 'code' | 'message'>

export const strayQuote: Reason = {
  code: 'stray_quote' satisfies Fault,
  message:
    'quotation mark inside an unquoted cell; enclose the cell in quotation marks and double each one inside it',
}

/** The reason for a row that does not fit the header: a wrong number of cells, or a value in a column without a name. */
export function widthReason(found: number, expected: number): Reason {
  if (found === expected)
    return { code: 'long_row', message: 'a cell has a value, but its column has no name' }
  const message = `the row has ${found === 1 ? '1 cell' : `${found} cells`}, but the header has ${expected}`
  if (found < expected) return { code: 'short_row', message }
  return { code: 'long_row', message: `${message}; quote cells that contain the delimiter` }
}

/** The kind of ID that names the user of a row. user_id is used if external_user_id is missing or empty. */
export function userKindIn(cells: Cells, { columns }: Layout): UserKind {
  const { external_user_id: external, user_id: internal } = columns
  return external < 0 || (internal >= 0 && cells.isEmpty(external)) ? 'user_id' : 'external_user_id'
}

/** The reason why a row has no valid user. If a row has both IDs, both must be valid. */
export function whyNoUserIn(
  cells: Cells,
  { columns, names }: Layout,
  kind: UserKind,
  ids: IdRules,
): Reason | undefined {
  const column = columns[kind]
  const start = cells.starts[column] as number
  const end = cells.ends[column] as number
  const isExternal = kind === 'external_user_id'
  // A fast check that is sufficient for nearly all rows.
  const isUsual = isExternal && end > start && end - start <= maxUserBytes
  if (!isUsual || !isUsualId(cells.bytes, start, end)) {
    const name = trimmedText(names[column] ?? '')
    if (!ids.isExact && end > start && cells.text(column) === name)
      return { column: name, code: 'header_repeated', message: 'the row repeats the header' }
    const why = whyNoUser(cells.bytes.subarray(start, end), kind, ids)
    if (why) return { column: names[column], ...why }
  }
  if (!isExternal || !hasBothIds(cells, columns)) return undefined
  const [from, to] = [cells.starts[columns.user_id], cells.ends[columns.user_id]]
  const why = whyNoUser(cells.bytes.subarray(from, to), 'user_id')
  return why && { column: names[columns.user_id], ...why }
}

/** Whether a row with an external user ID also has a user ID. */
export function hasBothIds(cells: Cells, { user_id: internal }: Layout['columns']): boolean {
  return internal >= 0 && internal < cells.count && !cells.isEmpty(internal)
}

/** Maximum number of users with both IDs. Each of them is kept in memory and looked up before the import. */
const maxPairs = 200_000

/** The user IDs in rows that contain both IDs. In such a row, the external user ID identifies the user. */
export class UserPairs {
  readonly expected = new Map<string, string>()
  private readonly others: ReadonlySet<string>

  /** `others` contains the external user IDs of users whose user ID in the file differs from their user ID in the service. */
  constructor(others: ReadonlySet<string> = new Set()) {
    this.others = others
  }

  /** The reason why the two IDs of a row do not belong to the same user. */
  whyOther(cells: Cells, { columns, names }: Layout, kind: UserKind): Reason | undefined {
    if (kind === 'user_id' || !hasBothIds(cells, columns)) return undefined
    const external = cells.text(columns.external_user_id)
    const internal = cells.text(columns.user_id)
    const known = this.expected.get(external)
    if (known === undefined) this.expected.set(external, internal)
    if (this.expected.size > maxPairs)
      throw new UsageError(`more than ${count(maxPairs)} users have both IDs`, {
        hint: 'Split the file, or import it without comparing the IDs: --ignore-columns user_id',
      })
    if (!this.others.has(external) && (known === undefined || known === internal)) return undefined
    const message = 'the external user ID and the user ID of this row belong to different users'
    return { column: names[columns.user_id], code: 'user_both', message }
  }
}

export function whyNoUser(
  bytes: Buffer,
  kind: UserKind,
  { isExact, isChecked }: IdRules = { isExact: false, isChecked: true, padTo: 0 },
): Cause | undefined {
  if (bytes.length === 0) return { code: 'user_missing', message: 'the user ID is empty' }
  if (bytes.length > maxUserBytes) {
    return { code: 'user_too_long', message: `the user ID is longer than ${maxUserBytes} bytes` }
  }
  if (!isUtf8(bytes)) {
    return { code: 'user_encoding', message: 'the user ID is not UTF-8; save the file as UTF-8' }
  }
  const text = bytes.toString()
  if (bytes[0] === shownMark) return shownId(text.replace(/^\x01/, ''))
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) {
    return {
      code: 'user_control',
      message: 'the user ID contains a control character, such as a tab or a newline',
    }
  }
  if (kind === 'user_id' && !uuidPattern.test(text)) {
    return {
      code: 'user_not_uuid',
      message: 'user_id is not a UUID; name the column external_user_id if it contains your own IDs',
    }
  }
  if (!isExact && trimmedText(text) !== text) {
    return { code: 'user_spaces', message: 'the user ID starts or ends with a space' }
  }
  return isChecked && !isExact && kind === 'external_user_id' ? whyDamaged(text) : undefined
}
