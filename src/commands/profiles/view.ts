import { formatTime } from '../../output/time.ts'
import type { Column, ListView, RecordView } from '../../output/view.ts'
import type { ProfileShown } from '../../profiles/list-profiles.ts'

type Profile = Readonly<ProfileShown>

const protections: Readonly<Record<string, string>> = {
  'read-only': 'read-only',
  confirm: 'asks before changes',
  off: 'off',
}

const columns: readonly Column<Profile>[] = [
  {
    key: 'name',
    title: 'Profile',
    whole: true,
    cell: ({ name, default: isDefault }, pen) => (isDefault ? `${pen.bold(name)} (default)` : name),
  },
  {
    key: 'environment',
    title: 'Environment',
    priority: 4,
    cell: ({ environment }, pen) => (environment === 'production' ? pen.yellow(environment) : environment),
  },
  { key: 'default', title: 'Default', only: 'machines' },
  {
    key: 'base_url',
    title: 'Service',
    whole: true,
    priority: 5,
    cell: ({ environment, base_url }) =>
      environment === 'sandbox' ? 'built in' : (base_url ?? 'no base URL'),
  },
  {
    key: 'store',
    title: 'Key in',
    priority: 1,
    cell: ({ store }) => (store === 'command' ? 'key command' : (store ?? 'none needed')),
  },
  { key: 'fingerprint', title: 'Fingerprint', whole: true, priority: 2 },
  {
    key: 'protect',
    title: 'Protection',
    priority: 3,
    cell: ({ protect, unlocked_until }, pen) => {
      const until = unlocked_until && formatTime(unlocked_until, pen)
      const unlocked = until ? (pen.terminal ? ` (locks ${until})` : `, unlocked until ${until}`) : ''
      return (protections[protect] ?? protect) + unlocked
    },
  },
  { key: 'unlocked_until', title: 'Unlocked until', only: 'machines' },
  { key: 'reference', title: 'Reference values', only: 'machines' },
]

export const profilesView: ListView<readonly ProfileShown[], Profile> = {
  kind: 'list',
  rows: (profiles) => profiles,
  columns,
  empty: 'no profiles',
}

export const profileView: RecordView<ProfileShown> = {
  kind: 'record',
  columns: [...columns, { key: 'stored_in', title: 'Stored in', whole: true }],
}
