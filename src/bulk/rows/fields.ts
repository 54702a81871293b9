import { distance } from 'fastest-levenshtein'
import { userLanguages } from '../../contract/values.ts'

/** Which kind of file a table is: answers to import, users to create, or a list of users for another command. */
export type TableKind = 'answers' | 'users' | 'list'

type FieldType = 'id' | 'text' | 'date' | 'choice'

/** A field that a column of a file can contain. This table defines the names and values that every list and import accepts. */
export interface Field {
  name: string
  type: FieldType
  kinds: readonly TableKind[]
  /** Other names that certainly mean this field. */
  synonyms?: readonly string[]
  /** Names that probably mean this field, as patterns for `similarTo`. They need `--map`. */
  similar?: RegExp
  /** Accepted values with their spellings in any case. */
  values?: Readonly<Record<string, readonly string[]>>
}

const everyKind = ['answers', 'users', 'list'] as const

export const fields: readonly Field[] = [
  {
    name: 'external_user_id',
    type: 'id',
    kinds: everyKind,
    synonyms: ['external_id', 'external_user'],
    similar:
      /^(id|ids|user|users|matricule|kennung|identifiant|identificador)$|(employee|staff|pers(on(n?el|al|eels?)?)?|patient|customer|client|member|participant|mitarbeiter|kunden?|klant|medewerkers?|werknemers?|deelnemers?|medarbejder|medlems?|anstallnings?|empleado|employe|cliente?|paciente|user|benutzer|gebruikers?|utilisateur|anvandar|bruger|externe?|external)(s|n)?(id|ids|nr|no|num|number|nummer|numero|code|kennung|nyckel)?$|^(id|num|numero|matricule)(d?e?l?)(employe|empleado|personal|client|cliente|patient|paciente|usuario|utilisateur|salarie)s?$|(id)(nr|nummer|number|code)$/,
  },
  { name: 'user_id', type: 'id', kinds: everyKind },
  {
    name: 'lookup_key',
    type: 'text',
    kinds: ['answers'],
    synonyms: ['question_lookup_key'],
    similar: /^(key|question|frage|vraag|pregunta|sporgsmal|fraga|cle)(key|id)?s?$/,
  },
  {
    name: 'value',
    type: 'text',
    kinds: ['answers'],
    similar: /^(answers?|wert|waarde|valeur|valor|vaerdi|varde|antwort|antwoord|reponse|respuesta|svar)$/,
  },
  {
    name: 'timezone',
    type: 'text',
    kinds: ['answers'],
    synonyms: ['tz', 'iana_timezone'],
    similar: /^(tijdzone|zeitzone|fuseauhoraire|zonahoraria|tidszone|tidszon)$/,
  },
  {
    name: 'birth_date',
    type: 'date',
    kinds: ['users'],
    synonyms: ['date_of_birth', 'birthday', 'dob'],
    similar:
      /^(geboortedatum|geburtsdatum|geburtstag|geb|gebdatum|gebdat|datedenaissance|datenaissance|ddn|nele|fechadenacimiento|fechanacimiento|nacimiento|fodselsdato|fodselsdag|fodelsedatum|fodelsedag|born|birth|dateofbirth.*)$/,
  },
  {
    name: 'sex',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['sex_at_birth'],
    similar: /^(gender|geslacht|geschl(echt)?|sexe|sexo|genero|genre|kon|koen|kjonn)$/,
    values: { F: ['female'], M: ['male'] },
  },
  {
    name: 'language',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['language_code'],
    similar: /^(lang|locale|taal|sprache|langue|idioma|lengua|sprog|sprak)(code|kode|kod)?$/,
    values: Object.fromEntries(userLanguages.map((code) => [code, []])),
  },
  {
    name: 'preferred_unit_system',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['unit_system', 'preferred_units', 'units'],
    similar: /^(eenheden|einheiten|unites|unidades|enheder|enheter|measurementsystem|unit)$/,
    values: { metric: [], imperial: [] },
  },
]

/**
 * First letters and words for the sexes in the languages of the service. They are suggested, never used without a question:
 * M is a man in French and a woman in Spanish.
 */
export const sexWords: readonly Readonly<Record<string, readonly string[]>>[] = [
  { F: ['v', 'vrouw'], M: ['m', 'man'] },
  { F: ['w', 'weiblich', 'frau'], M: ['m', 'männlich', 'mann'] },
  { F: ['f', 'femme', 'féminin'], M: ['h', 'homme', 'masculin'] },
  { F: ['m', 'mujer', 'femenino'], M: ['h', 'hombre', 'masculino', 'varón'] },
  { F: ['k', 'kvinde', 'kvinna'], M: ['m', 'mand', 'man'] },
  { F: ['f', 'female', 'woman', 'girl'], M: ['m', 'male', 'man', 'boy'] },
]

/** Names of the languages of users, in these languages. They are suggested, never used without a question. */
export const languageWords: readonly Readonly<Record<string, readonly string[]>>[] = [
  {
    en: ['english', 'engels', 'englisch', 'anglais', 'engelsk', 'engelska', 'inglés'],
    nl: [
      'dutch',
      'nederlands',
      'niederländisch',
      'holländisch',
      'néerlandais',
      'hollandsk',
      'nederländska',
      'holandés',
    ],
    fr: ['french', 'frans', 'französisch', 'français', 'fransk', 'franska', 'francés'],
    da: ['danish', 'deens', 'dänisch', 'danois', 'dansk', 'danska', 'danés', 'dk'],
    sv: ['swedish', 'zweeds', 'schwedisch', 'suédois', 'svensk', 'svenska', 'sueco', 'se'],
  },
]

/** Lookup keys in the languages of the service. They are suggested, never used without a question. */
const keyWords: readonly (readonly [key: string, RegExp])[] = [
  ['height', /^(lengte|lichaamslengte|(korper)?gro(e)?sse|taille|estatura|altura|hojde|langd)$/],
  ['weight', /^((lichaams|korper)?gewicht|poids|peso|vaegt|vikt)$/],
  [
    'smoking',
    /^(roken|roker|rauchen|raucher|fumeu(r|se)|tabac|fumar|fumador|rygning|ryger|rokning|rokare|smoker)$/,
  ],
  ['age', /^(leeftijd|alter|edad|alder)$/],
]

/** Units of answers. A column in another unit is never suggested. */
const keptUnits = new Set(['', 'cm', 'kg'])

/** Names match without regard to case, spaces, underscores, and hyphens. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '')
}

/** The field with this name: exactly, or by its plain name or a synonym. */
export function fieldNamed(name: string, kind: TableKind): Field | undefined {
  const ofKind = fields.filter(({ kinds }) => kinds.includes(kind))
  const plain = plainName(name)
  return (
    ofKind.find((field) => field.name === name) ??
    ofKind.find((field) =>
      [field.name, ...(field.synonyms ?? [])].some((known) => plainName(known) === plain),
    )
  )
}

/**
 * The field or lookup key that a column with this name probably contains: a word of another language, a name with a unit,
 * or a spelling mistake.
 */
export function similarTo(name: string, kind: TableKind, keys: readonly string[]): string | undefined {
  const [, start = name, unit = ''] = /^(.*?)\s*[([]\s*(.*?)\s*[)\]]\s*$/.exec(name) ?? []
  const isDateForm = /^[dmyjatå\W]{6,}$/i.test(unit)
  if (!isDateForm && !keptUnits.has(unit.toLowerCase())) return undefined
  const letters = lettersOf(start)
  const ofKind = fields.filter(({ kinds }) => kinds.includes(kind))
  const word = ofKind.find(({ similar }) => similar?.test(letters))?.name
  const key = keyWords.find(([known, words]) => keys.includes(known) && words.test(letters))?.[0]
  return word ?? key ?? closest(start, [...ofKind.map((field) => field.name), ...keys])
}

function closest(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainName(name)
  const isClose = (candidate: string) =>
    distance(plain, plainName(candidate)) <= Math.max(1, Math.floor(plain.length / 4))
  return plain.length < 3 ? undefined : candidates.find(isClose)
}

function lettersOf(name: string): string {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const spelled = letters.replaceAll('ø', 'o').replaceAll('æ', 'ae').replaceAll('ß', 'ss')
  return spelled.replace(/[^a-z0-9]+/g, '')
}
