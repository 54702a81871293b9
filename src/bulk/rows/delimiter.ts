/** Returns undefined if the text cannot be a delimiter. */
export function delimiterOf(text: string): string | undefined {
  const character = text === 'tab' || text === '\\t' ? '\t' : text
  return /^[^\0"\r\n\x7f-\uffff]$/.test(character) ? character : undefined
}
