/** Zero-width characters, soft hyphens, and characters that change the direction of text. */
const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/

/** The reason why a text cannot be an external user ID; undefined if it can. `isExact` allows all but control characters. */
export function userIdProblem(id: string, { isExact = false } = {}): string | undefined {
  const control = /\p{Cc}/u.exec(id)
  if (control) return `contains a control character (${nameCharacter(control[0])})`
  if (isExact) return undefined
  if (id !== id.trim()) return 'starts or ends with a space'
  const hidden = invisible.exec(id)
  return hidden ? `contains an invisible character (${nameCharacter(hidden[0])})` : undefined
}

/** `U+200B` */
function nameCharacter(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
