import { existsSync } from 'node:fs'
import { UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { Context } from '../../framework/context.ts'
import { flag } from '../../framework/options.ts'
import { nonEmpty } from '../../framework/values.ts'
import type { Store } from '../../sandbox/index.ts'

export const databaseOption = flag('--db <file>', 'database file (default: the built-in sandbox)', nonEmpty)

/** Opens the existing database for `work`. A missing database is created only if it belongs to the built-in sandbox. */
export async function withStore<Value>(
  ctx: Context,
  db: string | undefined,
  work: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const { builtInDatabase, openStore } = await import('../../sandbox/index.ts')
  if (db !== undefined && !existsSync(db)) {
    throw new UsageError(`${db} does not exist`, {
      hint: `Check the path, or create the database: ${onSameDatabase('sandbox serve', db)}`,
    })
  }
  const isBuiltIn = db === undefined
  const store = await openStore(db ?? builtInDatabase(ctx.paths), { create: isBuiltIn, isBuiltIn })
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

/** A sandbox command for a hint. It uses the same database as this command. */
export function onSameDatabase(words: string, db: string | undefined): string {
  return db === undefined ? `facescan ${words}` : `facescan ${words} --db ${quoteWord(db)}`
}
