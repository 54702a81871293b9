import { distance } from 'fastest-levenshtein'
import { fields, plainName, type TableKind } from './fields.ts'
import { columnWords } from './words.ts'

/** Units of the service. A column with a different unit in its name is not suggested, because its values would be wrong. */
const keptUnits = new Set(['', 'cm', 'kg'])
/** A unit at the end of a column name, such as `Weight (kg)`, `weight_lb`, and `HeightCm`. */
const unitPatterns = [
  /^(.*?)\s*[([]\s*(.*?)\s*[)\]]\s*$/,
  /^(.+?)(?:[\s_-]+|(?=(?:lbs?|kg|cm)$))(kgs?|cm|mm|m|g|lbs?|pounds?|oz|st|stones?|in|inch(?:es)?|ft|feet)$/i,
]

/** The field or lookup key that a column probably contains, because its name is a foreign word, includes a unit, or is misspelled. */
export function similarTo(name: string, kind: TableKind, keys: readonly string[]): string | undefined {
  const found = unitPatterns.map((pattern) => pattern.exec(name)).find(Boolean)
  const [, start = name, unit = ''] = found ?? []
  const isDateForm = /^[dmyjatå\W]{6,}$/i.test(unit)
  if (!isDateForm && !keptUnits.has(unit.toLowerCase())) return undefined
  const letters = lettersOf(start)
  const ofKind = fields.filter(({ kinds }) => kinds.includes(kind)).map((field) => field.name)
  const targets = [...ofKind, ...keys]
  const word = columnWords.find(([target, words]) => targets.includes(target) && words.test(letters))
  return word?.[0] ?? closest(start, targets)
}

/** The lookup key inside a longer name, such as a question. */
export function keyIn(
  name: string,
  { kind, known = [] }: { kind: TableKind; known?: readonly string[] },
): string | undefined {
  const words = `_${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')}_`
  const found = kind === 'answers' ? known.filter((key) => words.includes(`_${key}_`)) : []
  return found.length === 1 ? found[0] : undefined
}

/** The candidate with the fewest different letters. Undefined if several candidates are equally similar. */
function closest(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainName(name)
  if (plain.length < 3) return undefined
  const most = Math.max(1, Math.floor(plain.length / 4))
  const distances = candidates.map((candidate) => distance(plain, plainName(candidate)))
  const least = Math.min(...distances)
  const [found, ...others] = candidates.filter((_, at) => distances[at] === least)
  return least <= most && others.length === 0 ? found : undefined
}

const plainLetters: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ł: 'l', ı: 'i' }

function lettersOf(name: string): string {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const plain = letters.replace(/[øæßłı]/g, (letter) => plainLetters[letter] ?? letter)
  return plain.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '')
}
