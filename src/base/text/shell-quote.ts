/** A text in single quotes, as bash, zsh and fish 3 read it alike: a quote inside ends, escapes and reopens. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The same for one word of a command line, which mostly needs no quotes. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word)
}
