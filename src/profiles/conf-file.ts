import { join } from 'node:path'
import { cannotWrite } from '../base/system/cannot-write.ts'

/**
 * Writes a JSON file of the configuration directory with conf: in one step and readable by its owner only. A symbolic link
 * stays a link. Call this inside `withLock`, after the file was read: conf checks neither its mode nor its shape.
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
    const hint = 'Check the free space and the permissions, or set FACESCAN_CONFIG_DIR to another directory.'
    throw cannotWrite(join(directory, `${name}.json`), error, hint)
  }
}
