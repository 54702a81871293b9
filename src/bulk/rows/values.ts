import { countOf } from '../../base/text.ts'
import type { Evidence, Question, SurveyedColumn } from '../questions.ts'
import { type Cells, isBlankCell, trimmedText } from '../scan/cells.ts'
import type { Reading } from '../types.ts'
import { ByteNames } from './byte-names.ts'
import { dateConverter } from './dates.ts'
import { type Field, fields, lettersOf } from './fields.ts'
import { acceptedValue, noValue } from './flag-values.ts'

/** Converts a cell to the value that is sent, or explains why this is not possible. */
export type Convert = (text: string) => { text: string } | { problem: string }

/** The conversions for a file of users, by field. */
export function convertersFor({ dateFormat, values = {} }: Reading): ReadonlyMap<string, Convert> {
  const converters = new Map<string, Convert>()
  for (const field of fields) {
    const { name, type } = field
    const mapped = values[name]
    if (type === 'date') converters.set(name, dateConverter(name, dateFormat, mapped ?? {}))
    if (type !== 'choice') continue
    const accept: Convert = (text) => ({ text: acceptedValue(field, text) ?? text })
    converters.set(name, remembered(mapped ? valueConverter(name, mapped) : accept))
  }
  return converters
}

/** Caches conversions, because a column has only a few different values. */
function remembered(convert: Convert): Convert {
  const known = new Map<string, ReturnType<Convert>>()
  return (text) => {
    const found = known.get(text) ?? convert(text)
    if (known.size < 1000) known.set(text, found)
    return found
  }
}

function valueConverter(name: string, mapped: Readonly<Record<string, string>>): Convert {
  const inLowerCase = new Map(Object.entries(mapped).map(([from, to]) => [from.toLowerCase(), to]))
  return (text) => {
    const to = inLowerCase.get(text.toLowerCase())
    return to === undefined ? { problem: `${name} "${text}" is not listed in --values` } : { text: to }
  }
}

const maxValues = 50
/** If a column has more different values than this number, there are no prompts, because each value would need its own prompt. */
const maxPrompts = 20

/** Collects the different values of a column. If one value is not recognized, the prompts cover all values of the column. */
export class ValueSurvey implements Evidence {
  /** Assigns numbers to the texts, because creating a string for each cell would be slow. */
  private readonly names = new ByteNames()
  private readonly found: { text: string; rows: number }[] = []
  private readonly field: Field
  private readonly column: SurveyedColumn

  constructor(column: SurveyedColumn, field: Field) {
    this.column = column
    this.field = field
  }

  note(cells: Cells): void {
    const { at: column } = this.column
    const number = this.names.find(cells, column)
    if (number !== undefined) (this.found[number] as { rows: number }).rows++
    else if (this.found.length < maxValues && !isBlankCell(cells, column)) {
      const text = trimmedText(cells.text(column))
      const at = this.found.findIndex((known) => known.text === text)
      // A text with surrounding spaces is counted together with the same text without spaces.
      this.names.add(cells.text(column), at < 0 ? this.found.length : at)
      if (at < 0) this.found.push({ text, rows: 1 })
      else (this.found[at] as { rows: number }).rows++
    }
  }

  questions(): Question[] {
    const { field, found } = this
    const column = this.column.name
    const texts = found.map(({ text }) => text)
    const meant = meaningsOf(field, column, texts)
    const unknown = texts.filter((text) => acceptedValue(field, text) === undefined)
    if (unknown.length === 0 && texts.every((text, at) => acceptedValue(field, text) === meant[at])) return []
    const listed = found.map(({ text, rows }) => `"${text}" (${countOf(rows, 'row')})`).join(', ')
    const accepted = Object.keys(field.values ?? {})
    const problem =
      unknown.length > 0
        ? `not all values in column "${column}" are recognized: ${listed}; accepted: ${accepted.join(', ')}`
        : `values in column "${column}" can have another meaning in the language of the column name: ${listed}`
    const set = (text: string, value: string) => ({ values: { [field.name]: { [text]: value } } })
    const prompts = found.slice(0, maxPrompts).map(({ text, rows }, at) => {
      // If a text has no probable meaning, the first choice is to store no value.
      const values = [...new Set([meant[at] ?? '', ...accepted, ''])]
      const choices = values.map((value) => ({ name: value || 'no value', set: set(text, value) }))
      return { label: `Meaning of "${text}" in column "${column}" (${countOf(rows, 'row')})`, choices }
    })
    if (meant.every((value) => value !== undefined)) {
      const values = Object.fromEntries(texts.map((text, at) => [text, meant[at] ?? '']))
      return [{ problem, suggested: { values: { [field.name]: values } }, prompts, isPlain: true }]
    }
    const isAskable = texts.length <= maxPrompts
    const example = texts.map((text, at) => `${text}=${meant[at] ?? 'VALUE'}`).join(',')
    const help = `Map every value (VALUE: ${accepted.join(', ')}, or empty for no value): --values '${field.name}:${example}'`
    return [{ problem: `${problem}. ${help}`, prompts: isAskable ? prompts : [], isPlain: true }]
  }
}

/** The letters of a value without accents and case. The region of a language is removed: `nl-NL` becomes `nl`. */
function plainValue(value: string): string {
  return lettersOf(value.replace(/^([a-z]{2})[-_][a-z]{2}$/i, '$1'))
}

/** The words of one language for values, and the names of columns in this language. */
interface Words {
  columnName?: RegExp
  /** The words for each value, separated by spaces. */
  spellings: Readonly<Record<string, string>>
}

/**
 * The suggested meaning of each value. The meanings come from the language in which most values are words. If several languages fit
 * equally well, the language of the column name is used. A value that is not a word in this language keeps its accepted meaning. A
 * meaning is undefined if the value is unknown, or if equally likely languages disagree.
 */
function meaningsOf(field: Field, column: string, values: readonly string[]): (string | undefined)[] {
  const readWith = (read: (value: string) => string | undefined) =>
    values.map((value) => (noValue.test(value) ? '' : read(value)))
  const words: readonly Words[] = { sex: sexWords, language: languageWords }[field.name] ?? []
  const accepted = readWith((value) => acceptedValue(field, value))
  const readings = words.flatMap(({ columnName, spellings }) => {
    const meaningOf = (value: string) => meaningIn(spellings, value, field.name === 'language')
    const isNamed = columnName?.test(lettersOf(column)) ?? false
    return isNamed || isProof(values, meaningOf) ? [{ meant: readWith(meaningOf), isNamed }] : []
  })
  const ranked = [{ meant: accepted, isNamed: false }, ...readings].map(({ meant, isNamed }) => ({
    meant,
    rank: meant.filter((value) => value !== undefined).length + (isNamed ? 0.5 : 0),
  }))
  const most = Math.max(...ranked.map(({ rank }) => rank))
  const likely = ranked.filter(({ rank }) => rank === most)
  return accepted.map((value, at) => {
    const [meaning, ...others] = new Set(likely.map(({ meant }) => meant[at] ?? value))
    return others.length === 0 ? meaning : undefined
  })
}

function meaningIn(spellings: Words['spellings'], value: string, isCode: boolean): string | undefined {
  const isWord = ([name, words]: [string, string]) =>
    [...words.split(' '), ...(isCode ? [name] : [])].some((word) => lettersOf(word) === plainValue(value))
  return Object.entries(spellings).find(isWord)?.[0]
}

/** Whether values are evidence for a language. One letter is not evidence: K means a woman in Danish, and a man in Azerbaijani. */
function isProof(values: readonly string[], meaningOf: (value: string) => string | undefined): boolean {
  const known = values.filter((value) => meaningOf(value) !== undefined)
  return (
    new Set(known.map(meaningOf)).size > 1 || known.some((value) => !/^\p{Cased}$/u.test(plainValue(value)))
  )
}

/** First letters and words for the sexes. They are only suggestions, because M means a man in French and a woman in Spanish. */
const sexWords: readonly Words[] = [
  sexIn('v vrouw vrouwelijk', 'm man mannelijk', /^geslacht/),
  sexIn('w weiblich frau', 'm männlich mann', /^gesch/),
  sexIn('f femme féminin', 'h homme masculin', /^(sexe|genre)/),
  sexIn('m mujer femenino', 'h hombre masculino', /^(sexo|genero)/),
  sexIn('m mujer femenino', 'v varón', /^(sexo|genero)/),
  sexIn('k kvinde kvinne kvinna', 'm mand mann man', /^(kon|koen|kjonn)/),
  // N can mean "not stated".
  { spellings: { F: 'f female woman girl', M: 'm male man boy', '': 'n' } },
  sexIn('f femmina donna', 'm maschio uomo', /^(sesso|genere)/),
  sexIn('f feminino mulher', 'm masculino homem', /^(sexo|genero)/),
  sexIn('k kobieta', 'm mężczyzna', /^plec/),
  sexIn('k kadın', 'e erkek', /^cinsiyet/),
  sexIn('ж женский женщина', 'м мужской мужчина', /^пол/),
  sexIn('女 女性 여 여성 여자', '男 男性 남 남성 남자'),
  sexIn('أنثى', 'ذكر'),
  sexIn('ж жінка жіноча', 'ч чоловік чоловіча', /^стать/),
  sexIn('หญิง', 'ชาย'),
  sexIn('महिला', 'पुरुष'),
  sexIn('ž žena', 'm muž', /^pohlavi/),
  sexIn('n nő', 'f férfi', /^neme?$/),
  sexIn('n nainen naine', 'm mies mees', /^(sukupuoli|sugu)/),
  sexIn('γ θ γυναίκα θήλυ', 'α άνδρας άρρεν', /^φυλο/),
  sexIn('נ נקבה', 'ז זכר'),
  sexIn('nữ', 'nam'),
  sexIn('f femeie feminin', 'b bărbat masculin'),
  sexIn('b bean baineann', 'f fear fireann'),
  sexIn('ž ženska ženski žensko', 'm moški muški muško', /^spol/),
  sexIn('ж жена', 'м мъж', /^пол/),
  sexIn('s sieviete', 'v vīrietis', /^dzimums/),
  sexIn('m moteris', 'v vyras', /^lytis/),
  sexIn('kvk kona', 'kk karl', /^kyn/),
  sexIn('p perempuan wanita', 'l laki-laki pria', /^jeniskelamin/),
  sexIn('زن', 'مرد'),
  sexIn('ქალი მდედრობითი', 'კაცი მამრობითი'),
  sexIn('իգական կին', 'արական տղամարդ'),
]

function sexIn(female: string, male: string, columnName?: RegExp): Words {
  return { spellings: { F: female, M: male }, ...(columnName && { columnName }) }
}

/** Whether a text is a word for a sex. A single letter is not enough, because it has several meanings. */
export function isSexWord(text: string): boolean {
  const word = text.toLowerCase()
  const words = sexWords.flatMap(({ spellings }) => Object.values(spellings).join(' ').split(' '))
  return word.length > 1 && words.includes(word)
}

/** Names of the languages that a user can have, written in other languages. The names are only used for suggestions. */
const languageWords: readonly Words[] = [
  {
    spellings: {
      en: 'english engels englisch anglais engelsk engelska inglés inglês inglese angielski ingilizce 英語 英语 영어 английский',
      nl: 'dutch nederlands niederländisch holländisch néerlandais hollandsk nederländska holandés holandês olandese holenderski',
      fr: 'french frans französisch français fransk franska francés francês francese francuski fransızca フランス語',
      da: 'danish deens dänisch danois dansk danska danés dk',
      sv: 'swedish zweeds schwedisch suédois svensk svenska sueco se',
    },
  },
]
