import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Sets the times of lock files and temporary files to a minute ago. The files of a process that has ended then count as expired. */
export async function letAge(directory: string): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000)
  const names = (await readdir(directory)).filter((name) => /\.lock$|\.tmp-/.test(name))
  for (const name of names) await utimes(join(directory, name), longAgo, longAgo).catch(() => undefined)
}
