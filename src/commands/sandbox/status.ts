import type * as z from 'zod/mini'
import type { Unchanged } from '../../base/json.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import type { RecordView } from '../../output/view.ts'
import { databaseOption, onSameDatabase, withStore } from './options.ts'
import type { sandboxStatus } from './schema.ts'

const view = (db?: string): RecordView<Unchanged<z.infer<typeof sandboxStatus>>> => ({
  columns: [
    { key: 'database', title: 'Database', whole: true },
    { key: 'customer', title: 'Customer' },
    { key: 'users', title: 'Users' },
    { key: 'face_scans', title: 'Face scans' },
    { key: 'answers', title: 'Answers' },
    { key: 'keys', title: 'Keys', cell: ({ keys }) => keys.join(', ') },
    {
      key: 'serving',
      title: 'Serving',
      whole: true,
      cell: ({ serving }) => serving ?? `no; start it with: ${onSameDatabase('sandbox serve', db)}`,
    },
  ],
})

export default defineCommand({
  view: view(),
  output: async () => (await import('./schema.ts')).sandboxStatus,
  options: { db: databaseOption },
  examples: ['facescan sandbox status'],
  async run(ctx, { db }) {
    const { status } = await import('../../sandbox/index.ts')
    return commandResult(await withStore(ctx, db, status), { view: view(db) })
  },
})
