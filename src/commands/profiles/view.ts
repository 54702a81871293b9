import { formatTime } from '../../output/time.ts'
import type { Column, ListView, RecordView, Terminal } from '../../output/view.ts'
import type { ProfileShown } from '../../profiles/list-profiles.ts'
import { stores } from '../../profiles/profile.ts'
import { shownSettings } from '../../profiles/settings.ts'

type Profile = Readonly<ProfileShown>

const onlyMachines = { only: 'machines' } as const

const columns = (
  store: Column<Profile>,
  protect: Column<Profile>,
  isList = false,
): readonly Column<Profile>[] => [
  {
    key: 'name',
    title: 'Profile',
    whole: true,
    cell: ({ name, default: isDefault }, terminal) => (isDefault ? `${terminal.bold(name)} (default)` : name),
  },
  {
    key: 'environment',
    title: 'Environment',
    priority: 4,
    cell: ({ environment }, terminal) =>
      environment === 'production' ? terminal.yellow(environment) : environment,
  },
  { key: 'default', title: 'Default', only: 'machines' },
  {
    key: 'base_url',
    title: 'Base URL',
    whole: true,
    priority: 5,
    cell: ({ environment, base_url }) =>
      environment === 'sandbox' ? 'built in' : (base_url ?? 'no base URL'),
  },
  store,
  { key: 'fingerprint', title: 'Fingerprint', whole: true, priority: 2 },
  protect,
  { key: 'unlocked_until', title: 'Unlocked until', only: 'machines' },
  ...shownSettings.map(({ key, title }) => ({ key, title, whole: true, ...(isList && onlyMachines) })),
]

/** The protection of an unlocked profile. Only a read-only profile can be unlocked. */
export function describeUnlock(until: string, terminal: Terminal): string {
  return `read-only, unlocked (ends ${formatTime(until, terminal)})`
}

export const profilesView: ListView<readonly ProfileShown[], Profile> = {
  rows: (profiles) => profiles,
  columns: columns(
    {
      key: 'store',
      title: 'Key store',
      priority: 1,
      cell: ({ store }) => (store === null ? 'none' : stores[store].keepsKey ? store : stores[store].title),
    },
    {
      key: 'protect',
      title: 'Protection',
      priority: 3,
      cell: ({ protect, unlocked_until }) => (unlocked_until ? 'unlocked' : protect),
    },
    true,
  ),
  empty: 'no profiles',
}

export const profileView: RecordView<ProfileShown> = {
  columns: [
    ...columns(
      { key: 'stored_in', title: 'Key store', whole: true, cell: ({ stored_in }) => stored_in ?? 'none' },
      {
        key: 'protect',
        title: 'Protection',
        cell: ({ protect, unlocked_until }, terminal) =>
          unlocked_until === null ? protect : describeUnlock(unlocked_until, terminal),
      },
    ),
    { key: 'store', title: 'Store', only: 'machines' },
  ],
}
