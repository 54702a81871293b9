import { ConfigurationError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { showWord } from '../base/text/show-word.ts'
import { type ProfileFile, sandboxProfile } from './profile.ts'

/** `namedBy` is the flag or variable that selected the profile. */
export function profileNotFound(file: ProfileFile, name: string, namedBy?: string): ConfigurationError {
  const meant = nearest(name, [...Object.keys(file.profiles), sandboxProfile])
  const selected = namedBy === undefined ? '' : ` (selected by ${namedBy})`
  const guess = meant === undefined ? '' : `; did you mean ${meant}?`
  return new ConfigurationError(`profile ${showWord(name)} not found${selected}${guess}`, {
    hint: 'List the profiles: facescan profiles list',
  })
}
