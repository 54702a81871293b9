import type { ReplyOf } from '../../contract/index.ts'
import { sexNames } from '../../contract/values.ts'
import { escapeControls, oneLine } from '../../output/text.ts'
import type { RecordView } from '../../output/view.ts'

/** A user. The response to a change contains no weight, height, or hypertension. */
export type UserShown = ReplyOf<'users.create'> & Partial<ReplyOf<'users.get'>>

function measure(value: UserShown['weight']): string {
  return value ? `${value.value} ${value.unit}` : ''
}

/** The view of a user. The service does not return the external user ID, so the view does not contain it. */
export const userView: RecordView<UserShown> = {
  columns: [
    { key: 'user_id', title: 'User ID', whole: true },
    { key: 'customer', title: 'Customer' },
    { key: 'birth_date', title: 'Date of birth' },
    {
      key: 'sex',
      title: 'Sex at birth',
      cell: ({ sex }) => (sex ? `${sex} (${sexNames[sex] ?? 'unknown'})` : ''),
    },
    { key: 'language', title: 'Language' },
    { key: 'preferred_unit_system', title: 'Preferred unit system' },
    {
      key: 'weight',
      title: 'Weight',
      value: ({ weight }) => (weight === null ? null : weight?.value),
      cell: ({ weight }) => measure(weight),
    },
    { key: 'weight_unit', title: 'Weight unit', only: 'machines', value: ({ weight }) => weight?.unit },
    {
      key: 'height',
      title: 'Height',
      value: ({ height }) => (height === null ? null : height?.value),
      cell: ({ height }) => measure(height),
    },
    { key: 'height_unit', title: 'Height unit', only: 'machines', value: ({ height }) => height?.unit },
    { key: 'hypertension', title: 'Hypertension' },
  ],
}

/** The view of a user, with the external user ID from the request. */
export function viewOfExternal(id: string): RecordView<UserShown> {
  const cell = () => `${oneLine(escapeControls(id))} (as entered; the service does not return it)`
  const column = {
    key: 'requested_id',
    title: 'External user ID',
    only: 'terminal',
    value: () => id,
    cell,
  } as const
  return { columns: [column, ...userView.columns] }
}
