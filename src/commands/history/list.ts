import { defineCommand } from '../../framework/define-command.ts'
import { cutEvents, eventOptions, limitOf, usualEvents } from '../../framework/limit.ts'
import { flag } from '../../framework/options.ts'
import { dateTime } from '../../framework/times.ts'
import { uuid } from '../../framework/values.ts'

export default defineCommand({
  output: async () => (await import('../../audit/changes.ts')).changes,
  view: {
    columns: [
      { key: 'time', title: 'When', time: true, priority: 9 },
      { key: 'command', title: 'Command', whole: true, priority: 9 },
      { key: 'outcome', title: 'Outcome', whole: true, priority: 9 },
      { key: 'profile', title: 'Profile', whole: true, priority: 9 },
      { key: 'os_user', title: 'OS user', priority: 5 },
      { key: 'user_id', title: 'User ID', whole: true, priority: 8 },
      { key: 'status', title: 'Status', priority: 4 },
      { key: 'detail', title: 'Detail', priority: 2 },
      { key: 'host', title: 'Host', priority: 1 },
      { key: 'id', title: 'ID', only: 'machines' },
      { key: 'fingerprint', title: 'Key', only: 'machines' },
      { key: 'method', title: 'Method', only: 'machines' },
      { key: 'path', title: 'Path', only: 'machines' },
      { key: 'request_id', title: 'Request ID', whole: true },
      { key: 'reason', title: 'Reason' },
    ],
    empty: 'no matching changes in the audit log on this machine (changes to the sandbox are not logged)',
  },
  options: {
    externalUserId: flag(
      '--external-user-id <id>',
      'changes to the user with this external user ID',
      String,
      {
        conflicts: 'userId',
      },
    ),
    userId: flag('--user-id <uuid>', 'changes to the user with this user ID', uuid),
    sameUser: flag('--user <id>', 'short for --external-user-id', String, { conflicts: 'userId' }),
    since: flag('--since <time>', 'changes after this time (without a time zone: UTC)', dateTime),
    ...eventOptions('changes'),
  },
  description:
    'Lists changes from this machine, newest first, except changes to the sandbox. If the outcome is "unknown", the change may have been made. The owner of the log can edit it. For a second log, use `profiles set NAME --audit-command`.',
  examples: [
    'facescan history list',
    'facescan history list --user 4711 --since 7d',
    'facescan history list --all -o csv',
  ],
  async run(ctx, { sameUser, externalUserId = sameUser, userId, since, ...options }) {
    // `listChanges` returns the newest changes. Ascending order starts with the oldest change, so all changes are read.
    const limit = options.order === 'asc' ? Number.POSITIVE_INFINITY : limitOf(options, usualEvents) + 1
    const filter = { profile: ctx.flags.profile, userId, externalUserId, since }
    const { listChanges } = await import('../../audit/changes.ts')
    return cutEvents(await listChanges(ctx.paths, filter, limit), options, 'change')
  },
})
