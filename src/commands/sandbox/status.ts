import type { Unchanged } from '../../base/json.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import type { RecordView } from '../../output/view.ts'
import type { Status } from '../../sandbox/index.ts'
import { databaseOption, onSameDatabase, withStore } from './options.ts'

const view = (db?: string): RecordView<Unchanged<Status>> => ({
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
  output: async () => {
    const { array, int, nullable, strictObject, string } = await import('zod/mini')
    const counts = { users: int(), face_scans: int(), answers: int() }
    const texts = { database: string(), customer: string() }
    return strictObject({ ...texts, ...counts, keys: array(string()), serving: nullable(string()) })
  },
  options: { db: databaseOption },
  examples: ['facescan sandbox status'],
  async run(ctx, { db }) {
    const { status } = await import('../../sandbox/index.ts')
    return commandResult(await withStore(ctx, db, status), { view: view(db) })
  },
})
