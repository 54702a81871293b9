/** The byte between cells that a person or a `sep=` line names; undefined for what cannot be one. */
export function delimiterOf(text: string): string | undefined {
  const character = text === 'tab' || text === '\\t' ? '\t' : text
  return /^[^\0"\r\n\x7f-\uffff]$/.test(character) ? character : undefined
}
