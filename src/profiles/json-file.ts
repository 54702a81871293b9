import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
import { cannotWrite } from '../base/system/cannot-write.ts'
import { readOwnerFile } from '../base/system/owner-file.ts'

/**
 * Reads an owner-only JSON file; undefined if it does not exist. Throws if the file is damaged or was written by a newer version.
 * The error never quotes the text, because it may be a key.
 */
export async function readOwnerJson<T>(path: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  const text = await readOwnerFile(path)
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (isNewer(value)) {
    throw new ConfigurationError(`${path} was written by a newer version of facescan`, {
      hint: 'Update facescan, or set FACESCAN_CONFIG_DIR to another directory.',
    })
  }
  const checked = z.safeParse(schema, value)
  if (checked.success) return checked.data
  const where =
    value === undefined ? 'not valid JSON' : `at ${checked.error.issues[0]?.path.join('.') || 'the top'}`
  throw new ConfigurationError(`${path} is damaged (${where}); nothing was changed`, {
    hint: 'Fix the file, or move it away and add the profiles again.',
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isNewer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && Number(value.version) > 1
}

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
