import { existsSync } from 'node:fs'
import { longestShown } from './show-word.ts'

/** The form of an API key (40 characters) and of an action token (a JSON web token). */
const secretForm = /^(?:[\w!.@-]{40}|ey[\w-]+\.[\w-]+\.[\w-]*)$/

export function looksLikeKey(word: string): boolean {
  return secretForm.test(word)
}

/** A user ID, an address, or a file name. */
const named =
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[^!@]+@[^!@]+\.[a-z]{2,}$|\.(csv|tsv|jsonl?|ndjson|xlsx|gz|txt|png)$/i

/**
 * Returns a function that hides words of a command line that may be a key or token typed in the wrong place. `isUsage` means that
 * the error is about a word that was not understood, so any long word may be a key.
 */
export function hideKeys(argv: readonly string[], isUsage = false): (text: string) => string {
  // A key may start with a dash, and so does an option that was typed with a key as its name.
  const words = argv.flatMap((word) => [word, word.replace(/^\W+/, '')])
  const isLong = (part: string) => isUsage && part.length > longestShown && !named.test(part)
  const secretsIn = (word: string) =>
    word
      .split(/[^\w!.@-]+/)
      .filter((part) => looksLikeKey(part) || (isLong(part) && !word.includes('://') && !existsSync(word)))
  const secrets = [...new Set(words.flatMap(secretsIn))]
  return (text) =>
    secrets.reduce((current, secret) => current.replaceAll(secret, '(hidden: possible key or token)'), text)
}
