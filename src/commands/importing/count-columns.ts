import { count } from '../../base/text/count.ts'
import type { Column } from '../../output/view.ts'

export function counted<Key extends string>(
  key: Key,
  title: string,
  priority = 0,
): Column<Readonly<Record<Key, number | null>>> {
  return {
    key,
    title,
    align: 'right',
    priority,
    value: ({ [key]: value }) => value,
    cell: ({ [key]: value }) => (value === null ? '' : count(value)),
  }
}

export const stateColumns = [
  counted('rows', 'Rows', 3),
  counted('accepted', 'Accepted', 3),
  counted('rejected', 'Rejected', 5),
  counted('unknown', 'Unknown'),
  counted('unsent', 'Unsent', 4),
]

export const requestColumns = [counted('requests', 'Requests'), counted('retried', 'Retried')]
