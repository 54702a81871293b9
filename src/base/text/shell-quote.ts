/**
 * Text in single quotes for bash, zsh, and fish 3. A quote in the text ends the quoting, is escaped, and starts the
 * quoting again.
 */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A word of a command line, quoted only if a shell would change it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word)
}
