import { existsSync } from 'node:fs'
import { countOf } from '../../base/text.ts'
import { agreeToRemove } from '../../framework/ask.ts'
import { commandResult } from '../../framework/command-result.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { databaseOption, withStore } from './options.ts'

export default defineCommand({
  output: async () => {
    const { literal, strictObject, string } = await import('zod/mini')
    return strictObject({ database: string(), reset: literal(true) })
  },
  view: {
    columns: [
      { key: 'database', title: 'Database', whole: true },
      { key: 'reset', title: 'Reset', cell: () => 'yes; the next sandbox command creates new keys' },
    ],
  },
  localEffect: 'destroy',
  options: { db: databaseOption },
  description: 'Removes the users, scans, answers, and keys from the sandbox.',
  examples: ['facescan sandbox reset', 'facescan sandbox reset --yes'],
  async run(ctx, { db }) {
    if (db !== undefined && !existsSync(db)) {
      const done = `Nothing to remove: ${db} does not exist`
      return commandResult({ database: db, reset: true } as const, { done, brief: true })
    }
    const { assertNotServed, builtInDatabase, reset, status } = await import('../../sandbox/index.ts')
    const found = await withStore(ctx, db, status).catch((error) => {
      // A damaged file is removed only if it is the built-in sandbox.
      if (db !== undefined) throw error
    })
    if (found) await assertNotServed(found.database)
    const what = found ? `${countOf(found.users, 'user')} and all of their data` : 'everything'
    await agreeToRemove(ctx, `Resetting the sandbox removes ${what}. Continue?`, {
      message: 'resetting the sandbox needs confirmation',
      hint: 'Re-run with --yes.',
    })
    const database = found?.database ?? builtInDatabase(ctx.paths)
    reset(database, { isBuiltIn: db === undefined })
    return commandResult({ database, reset: true } as const, { done: 'Reset the sandbox' })
  },
})
