import { own } from '../base/functions.ts'
import { didYouMean } from '../base/nearest.ts'
import { describeFlags, type Options } from '../framework/options.ts'
import { findReplacement } from '../routes/unknown-command.ts'
import { splitRest, type Words } from './words.ts'

/** Unknown and misspelled flags. */
export function findFlagProblems(words: Words, options: Options): string[] {
  const { valueless } = words
  return [
    ...splitRest(words).unknownFlags.map((word) => describeUnknownFlag(word, options)),
    ...(valueless === undefined ? [] : [`${valueless} needs a value`]),
  ]
}

const secretName = /(?<!lookup-)key|token|secret|password/i

/** Names that other command-line tools use, for suggestions only. */
const otherFlags: Readonly<Record<string, string>> = {
  '--user': '--external-user-id',
  '--id': '--external-user-id',
  '--since': '--start',
  '--from': '--start',
  '--until': '--end',
  '--format': '--output',
  '--verbose': '--debug',
  '--force': '--yes',
  '--tz': '--timezone',
  '--gender': '--sex',
}

/** The name of an unknown flag. Its value is not shown, because the value may be a key. */
function describeUnknownFlag(word: string, options: Options): string {
  const name = nameOf(word)
  if (secretName.test(name)) return `unknown flag ${name}: secrets are not accepted on the command line`
  if (findReplacement(name) !== undefined) return `${name} was removed`
  const known = describeFlags(options).map(({ long }) => long)
  const other = own(otherFlags, name)
  return `unknown flag ${name}${name.startsWith('--') ? didYouMean(known.find((flag) => flag === other) ?? name, known) : ''}`
}

/** The next step after an invalid flag. `page` is the command whose help describes the valid flags. */
export function hintForFlags(unknownFlags: readonly string[], page: string): string {
  if (unknownFlags.some((word) => secretName.test(nameOf(word)))) {
    return 'Store the key in a profile (facescan profiles add), or use --key-file, --key-stdin, or FACESCAN_API_KEY.'
  }
  const replacement = unknownFlags
    .map((word) => findReplacement(nameOf(word)))
    .find((text) => text !== undefined)
  return replacement ?? `See: ${page} --help`
}

/** The name of a flag. A short flag and its value may be written without a space. */
export function nameOf(word: string): string {
  return word.startsWith('--') ? word.replace(/=.*/s, '') : word.slice(0, 2)
}
