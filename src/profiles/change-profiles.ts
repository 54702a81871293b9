import { join } from 'node:path'
import { cannotWrite } from '../base/files.ts'
import { withLock } from '../base/lock.ts'
import { type Paths, requireDirectory } from '../base/paths.ts'
import type { ProfileFile } from './profile.ts'
import { readProfiles } from './profile-file.ts'

/** Changes the file under a lock. `change` modifies its argument. If `change` throws, the file stays unchanged. */
export async function changeProfiles<T>(
  paths: Paths,
  change: (file: ProfileFile) => Promise<T> | T,
): Promise<T> {
  const directory = requireDirectory(paths, 'config')
  return withLock(directory, 'profiles', async () => {
    const file = await readProfiles(paths)
    const result = await change(file)
    await writeConfFile(directory, 'profiles', file)
    return result
  })
}

/**
 * Writes a JSON file of the configuration directory in one step, with mode 0600. If the path is a symbolic link, the target of the link is
 * replaced. The package conf does not check the mode and the content of the file. Therefore call this inside `withLock`, after the file was
 * read and checked.
 */
export async function writeConfFile(directory: string, name: string, content: object): Promise<void> {
  const { default: Conf } = await import('conf')
  try {
    const file = new Conf<Record<string, unknown>>({
      cwd: directory,
      configName: name,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
    })
    file.store = { ...content }
  } catch (error) {
    const hint =
      'Check the free disk space and the file permissions, or set FACESCAN_CONFIG_DIR to another directory.'
    throw cannotWrite(join(directory, `${name}.json`), error, hint)
  }
}
