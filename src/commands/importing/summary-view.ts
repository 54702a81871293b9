import { span } from '../../base/clock.ts'
import { FacescanError, type Hint } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import { markReported } from '../../bulk/imports.ts'
import type { Summary } from '../../bulk/schemas.ts'
import { type CommandResult, commandResult } from '../../framework/command-result.ts'
import type { Column, RecordView, Terminal } from '../../output/view.ts'
import type { SendingOptions } from './options.ts'

/** A number with commas on a terminal, and a plain number for programs. */
export function countFor({ isTTY }: Terminal, value: number): string {
  return isTTY ? count(value) : String(value)
}

export function counted<Key extends string>(
  key: Key,
  title: string,
  priority = 0,
): Column<Readonly<Partial<Record<Key, number | null>>>> {
  return {
    key,
    title,
    align: 'right',
    priority,
    value: ({ [key]: value }) => value,
    cell: ({ [key]: value }, terminal) =>
      value === null || value === undefined ? '' : countFor(terminal, value),
  }
}

export const stateColumns = [
  counted('rows', 'Rows', 3),
  counted('accepted', 'Accepted', 8),
  counted('rejected', 'Rejected', 7),
  counted('unknown', 'Unknown', 8),
  counted('unsent', 'Unsent', 7),
]

export const requestColumns = [counted('requests', 'Requests'), counted('retried', 'Retried')]

export function fileColumn<Key extends string>(
  key: Key,
  title: string,
): Column<Readonly<Record<Key, string | null>>> {
  const value = ({ [key]: path }: Readonly<Record<Key, string | null>>) => path
  return { key, title, whole: true, value, cell: (row) => value(row) ?? 'none' }
}

export const summaryView: RecordView<Summary> = {
  columns: [
    { key: 'id', title: 'Import', whole: true },
    { key: 'source', title: 'Input', whole: true },
    { key: 'profile', title: 'Profile' },
    { key: 'status', title: 'Status' },
    ...stateColumns,
    ...requestColumns,
    counted('sent_now', 'Sent now'),
    { key: 'seconds', title: 'Time', cell: ({ seconds }) => span(seconds) },
    fileColumn('rejects_file', 'Rejects file'),
    fileColumn('unknown_file', 'Unknown file'),
  ],
}

type States = Pick<Summary, 'rows' | 'accepted' | 'rejected' | 'unknown' | 'unsent'>

export function describeSummary({ rows, accepted, rejected, unknown, unsent }: States): string {
  return `${count(accepted)} of ${countOf(rows, 'answer')} accepted, ${count(rejected)} rejected, ${count(unknown)} unknown, ${count(unsent)} unsent`
}

/** Adds an error if some rows were not accepted. `folder` is the directory of the finished import. */
export function concludeImport(
  summary: Summary,
  { verbose }: Pick<SendingOptions, 'verbose'>,
  { folder, reasons = [] }: { folder?: string; reasons?: readonly (string | Hint)[] } = {},
): CommandResult<Summary> {
  const { rows, rejected, unknown, seconds } = summary
  const reported = folder === undefined ? undefined : () => markReported(folder)
  const ending = { view: summaryView, brief: !verbose, reported }
  if (rejected + unknown === 0)
    return commandResult(summary, {
      ...ending,
      done: `Imported ${countOf(rows, 'answer')} (${span(seconds)})`,
    })
  const files = [summary.rejects_file, summary.unknown_file].filter((path) => path !== null)
  const error = new FacescanError('import_rejected', describeSummary(summary), {
    hint: [
      ...reasons,
      ...(files.length > 0
        ? [`The rows that were not accepted and the reasons are in ${files.join(', ')}`]
        : []),
    ],
  })
  return commandResult(summary, { ...ending, error })
}
