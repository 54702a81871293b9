import { UsageError } from '../base/errors.ts'

/**
 * A flag that does not exist. Only its name is repeated: what was given with it may be a key that somebody thought there was a
 * flag for.
 */
export function unknownOption(given: string, page: string, meant?: string): UsageError {
  const isLong = given.startsWith('--')
  const name = isLong ? given : given.slice(0, 2)
  if (/(?<!lookup-)key|token|secret|password/i.test(name)) {
    return new UsageError(`unknown option ${name}: secrets are never taken from the command line`, {
      hint: 'Keep the key in a profile (facescan profiles add), or give --key-file FILE, --key-stdin or FACESCAN_API_KEY.',
    })
  }
  return new UsageError(`unknown option ${name}${isLong && meant ? `. Did you mean ${meant}?` : ''}`, {
    hint: `See: ${page} --help`,
  })
}
