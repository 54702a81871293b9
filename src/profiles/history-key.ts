import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOwnerFile, withLock, writeOwnerFile } from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'

/**
 * The keyed hash that stands for an external user id in the log. Without the key, a short id could be found by hashing all
 * of them. Undefined if there is no key yet and `create` is false.
 */
export async function hashExternalId(
  paths: Paths,
  externalId: string,
  { create }: { create: boolean },
): Promise<string | undefined> {
  const directory = requireDirectory(paths, 'state')
  const path = join(directory, 'history.key')
  const read = async () => (await readOwnerFile(path))?.trim() || undefined
  const key = (await read()) ?? (create ? await createKey(directory, path, read) : undefined)
  return key && createHmac('sha256', key).update(externalId).digest('hex').slice(0, 32)
}

function createKey(directory: string, path: string, read: () => Promise<string | undefined>) {
  return withLock(directory, 'history', async () => {
    const meanwhile = await read()
    if (meanwhile) return meanwhile
    const key = randomBytes(32).toString('hex')
    await writeOwnerFile(path, `${key}\n`)
    return key
  })
}
