/** The form of an API key (40 characters) and of an action token (a JSON web token). */
const secretForm = /^(?:[\w!.@-]{40}|ey[\w-]+\.[\w-]+\.[\w-]*)$/

export function looksLikeKey(word: string): boolean {
  return secretForm.test(word)
}

/** Returns a function that hides words of a command line that may be a key or token typed in the wrong place. */
export function hideKeys(argv: readonly string[]): (text: string) => string {
  // A key may start with a dash, and so does an option that was typed with a key as its name.
  const words = argv.flatMap((word) => [word, word.replace(/^\W+/, '')])
  const secrets = [...new Set(words.flatMap((word) => word.split(/[^\w!.@-]+/)))].filter(looksLikeKey)
  return (text) =>
    secrets.reduce((current, secret) => current.replaceAll(secret, '(hidden: possible key or token)'), text)
}
