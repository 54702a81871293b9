import * as z from 'zod/mini'
import { ConfigurationError } from '../base/errors.ts'
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
