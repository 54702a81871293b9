import { UsageError } from '../../base/errors.ts'
import type { InputFile } from '../input-file.ts'
import type { Reading } from '../types.ts'
import type { TableKind } from './fields.ts'
import type { IdRules } from './user-ids.ts'

export interface Position {
  offset: number
  line: number
}

export interface TableRules extends Reading {
  kind: TableKind
  /** Lookup keys, or other columns with a meaning. */
  known?: readonly string[]
  /** Whether damaged IDs are refused (default: only in answers). */
  checksIds?: boolean
}

/** Answers are always checked; a list is checked if its rows change users. */
export function idRules({ ids, checksIds, kind }: Pick<TableRules, 'ids' | 'checksIds' | 'kind'>): IdRules {
  const padTo = typeof ids === 'number' ? ids : 0
  return { isExact: ids === 'exact', isChecked: checksIds ?? kind === 'answers', padTo }
}

export function emptyInput(input: InputFile): UsageError {
  return new UsageError(`${input.name} is empty`)
}
