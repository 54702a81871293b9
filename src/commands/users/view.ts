import type { ReplyOf } from '../../contract/index.ts'
import { escapeControls, oneLine } from '../../output/text.ts'
import type { RecordView } from '../../output/view.ts'

/** The responses to changes contain no measurements. */
export type UserShown = ReplyOf<'users.create'> & Partial<ReplyOf<'users.get'>>

const sexNames: Readonly<Record<string, string>> = { F: 'female', M: 'male' }

function measure(value: UserShown['weight']): string {
  return value ? `${value.value} ${value.unit}` : ''
}

/** The service never returns the external user ID, so the view has no line for it. */
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

/** Also shows the external user ID of the request. */
export function viewOfExternal(id: string): RecordView<UserShown> {
  const cell = () => `${oneLine(escapeControls(id))} (as requested; the service does not store it)`
  const column = {
    key: 'requested_id',
    title: 'External user ID',
    only: 'terminal',
    value: () => id,
    cell,
  } as const
  return { columns: [column, ...userView.columns] }
}
