/** Text in single quotes that bash, zsh, and fish 3 read alike: a quote inside closes, is escaped, and reopens. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A word of a command line, quoted only if a shell would change it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word)
}
