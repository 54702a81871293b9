import { distance } from 'fastest-levenshtein'
import { sexNames, userLanguages } from '../../contract/values.ts'
import { keyWords } from './words.ts'

/** Content of a table: answers to import, users to create, or a list of users for another command. */
export type TableKind = 'answers' | 'users' | 'list'

type FieldType = 'id' | 'text' | 'date' | 'choice'

/** A field that a column can contain. This table defines the names and values for all lists and imports. */
export interface Field {
  name: string
  type: FieldType
  kinds: readonly TableKind[]
  /** Synonyms: other names that certainly mean this field. */
  synonyms?: readonly string[]
  /** Names that probably mean this field: patterns and words for `similarTo`. Such a column needs `--map`. */
  similar?: RegExp
  words?: readonly string[]
  /** Accepted values and their spellings, in any case. */
  values?: Readonly<Record<string, readonly string[]>>
}

const everyKind = ['answers', 'users', 'list'] as const

/** The words of a text in the form that `lettersOf` returns. */
function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}

export const fields: readonly Field[] = [
  {
    name: 'external_user_id',
    type: 'id',
    kinds: everyKind,
    synonyms: ['external_id', 'external_user'],
    similar:
      /^(id|ids|user|users|matricule|kennung|identifiant|identificador)$|(employee|staff|pers(on(n?el|al|eels?)?)?|patient|customer|client|member|participant|mitarbeiter|kunden?|klant|medewerkers?|werknemers?|deelnemers?|medarbejder|medlems?|anstallnings?|empleado|employe|cliente?|paciente|user|benutzer|gebruikers?|utilisateur|anvandar|bruger|externe?|external)(s|n)?(id|ids|nr|no|num|number|nummer|numero|code|kennung|nyckel)?$|^(id|num|numero|matricule)(d?e?l?)(employe|empleado|personal|client|cliente|patient|paciente|usuario|utilisateur|salarie)s?$|(id)(nr|nummer|number|code)$/,
    words: wordsIn(
      `matricola matricula legajo pernr filenumber badgenumber payrollnumber numerpracownika nrpracownika sicilno personelno osobnicislo torzsszam tyontekijanumero ansattnummer 社員番号 従業員番号 職員番号 患者番号 工号 员工编号 사번 사원번호 табельныйномер رقمالموظف`,
    ),
  },
  { name: 'user_id', type: 'id', kinds: everyKind },
  {
    name: 'lookup_key',
    type: 'text',
    kinds: ['answers'],
    synonyms: ['question_lookup_key'],
    similar: /^(key|question|frage|vraag|pregunta|sporgsmal|fraga|cle)(key|id)?s?$/,
    words: wordsIn(
      `key keys question questions questionid questionkey frage vraag pregunta sporgsmal fraga cle domanda pergunta pytanie soru 質問 attribute attributes attribut attributo atributo kenmerk merkmal variable`,
    ),
  },
  {
    name: 'value',
    type: 'text',
    kinds: ['answers'],
    words: wordsIn(
      `answer answers wert waarde valeur valor vaerdi varde antwort antwoord reponse respuesta svar risposta resposta odpowiedz cevap 回答`,
    ),
  },
  {
    name: 'timezone',
    type: 'text',
    kinds: ['answers'],
    synonyms: ['tz', 'iana_timezone'],
    words: wordsIn(
      `tijdzone zeitzone fuseauhoraire zonahoraria tidszone tidszon fusoorario fusohorario strefaczasowa saatdilimi`,
    ),
  },
  {
    name: 'birth_date',
    type: 'date',
    kinds: ['users'],
    synonyms: ['date_of_birth', 'birthday', 'dob'],
    similar: /^dateofbirth/,
    words: wordsIn(
      `geboortedatum geburtsdatum geburtstag geb gebdatum gebdat gbdat datedenaissance datenaissance ddn nele fechadenacimiento fechanacimiento nacimiento fodselsdato fodselsdag fodelsedatum fodelsedag born birth datadinascita datadenascimento nascimento dataurodzenia dogumtarihi datumnarozeni szuletesidatum syntymaaika 生年月日 出生日期 생년월일 датарождения تاريخالميلاد ημερομηνιαγεννησης`,
    ),
  },
  {
    name: 'sex',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['sex_at_birth'],
    values: { F: [sexNames.F], M: [sexNames.M] },
    words: wordsIn(
      `gender gendercode sexcode legalsex biologicalsex sexassignedatbirth geslacht geschl geschlecht gesch sexe sexo genero genre kon koen kjonn sesso plec cinsiyet pohlavi sukupuoli nem φυλο 性別 性别 성별 пол الجنس`,
    ),
  },
  {
    name: 'language',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['language_code'],
    similar: /^(lang|locale|taal|sprache|langue|idioma|lengua|sprog|sprak)(code|kode|kod)?$/,
    values: Object.fromEntries(userLanguages.map((code) => [code, []])),
    words: wordsIn(
      `taal sprache langue idioma lengua sprog sprak lingua jezyk dil jazyk nyelv kieli 言語 语言 언어 язык اللغة`,
    ),
  },
  {
    name: 'preferred_unit_system',
    type: 'choice',
    kinds: ['users'],
    synonyms: ['unit_system', 'preferred_units', 'units'],
    values: { metric: [], imperial: [] },
    words: wordsIn(
      `eenheden einheiten unites unidades enheder enheter measurementsystem unit unita jednostki birimler 単位`,
    ),
  },
]

/** Units of the service. A column with a different unit in its name is not suggested, because its values would be wrong. */
const keptUnits = new Set(['', 'cm', 'kg'])
/** A unit at the end of a column name, such as `Weight (kg)`, `weight_lb`, and `HeightCm`. */
const unitPatterns = [
  /^(.*?)\s*[([]\s*(.*?)\s*[)\]]\s*$/,
  /^(.+?)(?:[\s_-]+|(?=(?:lbs?|kg|cm)$))(kgs?|cm|mm|m|g|lbs?|pounds?|oz|st|stones?|in|inch(?:es)?|ft|feet)$/i,
]

/** A name without case, spaces, underscores, and hyphens, which are ignored when names are compared. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '')
}

/** The field with this name or synonym. Case, spaces, underscores, and hyphens are ignored. */
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

/** The field or lookup key that a column probably contains, because its name is a foreign word, includes a unit, or is misspelled. */
export function similarTo(name: string, kind: TableKind, keys: readonly string[]): string | undefined {
  const found = unitPatterns.map((pattern) => pattern.exec(name)).find(Boolean)
  const [, start = name, unit = ''] = found ?? []
  const isDateForm = /^[dmyjatå\W]{6,}$/i.test(unit)
  if (!isDateForm && !keptUnits.has(unit.toLowerCase())) return undefined
  const letters = lettersOf(start)
  const ofKind = fields.filter(({ kinds }) => kinds.includes(kind))
  const word = ofKind.find(({ similar, words }) => similar?.test(letters) || words?.includes(letters))?.name
  const key = keyWords.find(([known, words]) => keys.includes(known) && words.test(letters))?.[0]
  return word ?? key ?? closest(start, [...ofKind.map((field) => field.name), ...keys])
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
