/** A text in single quotes, as bash, zsh and fish 3 read it alike: a quote inside ends, escapes and reopens. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
