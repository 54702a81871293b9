import { sexNames, userLanguages } from '../../contract/values.ts'

/** Content of a table: answers to import, users to create, or a list of users for another command. */
export type TableKind = 'answers' | 'users' | 'list'

type FieldType = 'id' | 'text' | 'date' | 'choice'

/** A field that a column can contain. The table of fields defines the names and values for all lists and imports. */
export interface Field {
  name: string
  type: FieldType
  kinds: readonly TableKind[]
  /** Other names that certainly mean this field. */
  synonyms?: readonly string[]
  /** Accepted values and their spellings. Case is ignored. */
  values?: Readonly<Record<string, readonly string[]>>
}

const everyKind = ['answers', 'users', 'list'] as const

export const fields: readonly Field[] = [
  { name: 'external_user_id', type: 'id', kinds: everyKind, synonyms: ['external_id', 'external_user'] },
  { name: 'user_id', type: 'id', kinds: everyKind },
  { name: 'lookup_key', type: 'text', kinds: ['answers'], synonyms: ['question_lookup_key'] },
  { name: 'value', type: 'text', kinds: ['answers'] },
  { name: 'timezone', type: 'text', kinds: ['answers'], synonyms: ['tz', 'iana_timezone'] },
  { name: 'birth_date', type: 'date', kinds: ['users'], synonyms: ['date_of_birth', 'birthday', 'dob'] },
  {
    name: 'sex',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['sex_at_birth'],
    values: { F: [sexNames.F], M: [sexNames.M] },
  },
  {
    name: 'language',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['language_code'],
    values: Object.fromEntries(userLanguages.map((code) => [code, []])),
  },
  {
    name: 'preferred_unit_system',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['unit_system', 'preferred_units', 'units'],
    values: { metric: [], imperial: [] },
  },
]

/** A name in lower case, without spaces, underscores, hyphens, and invisible characters. Names are compared in this form. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\p{Cc}\p{Cf}]+/gu, '')
}

const byName = new Map(
  fields.flatMap((field) => {
    return [field.name, ...(field.synonyms ?? [])].map((name) => [plainName(name), field] as const)
  }),
)

/** A name for messages and flags: one line, no invisible characters. `plainName` returns the same result for it and the original name. */
export function shownName(name: string): string {
  return name
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]+/gu, '')
    .trim()
}

/** The field with this name or synonym. Case, spaces, underscores, and hyphens are ignored. */
export function fieldNamed(name: string, kind: TableKind): Field | undefined {
  const field = byName.get(plainName(name))
  return field?.kinds.includes(kind) ? field : undefined
}

export function fieldNames(kind: TableKind): string[] {
  return fields.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => name)
}

const plainLetters: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ł: 'l', ı: 'i' }

/**
 * The letters and digits of a text in lower case, without the accents of European letters and the vowel signs of Arabic letters. The signs
 * of other scripts stay, because they are parts of words, as in Thai and Hindi.
 */
export function lettersOf(text: string): string {
  const letters = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u0655]/g, '')
    .toLowerCase()
  const plain = letters
    .replace(/№|n[º°]/g, 'no')
    .replace(/[øæßłı]/g, (letter) => plainLetters[letter] ?? letter)
  return plain.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}
