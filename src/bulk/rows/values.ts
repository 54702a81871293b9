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
    if (field.type === 'date')
      converters.set(field.name, dateConverter(field.name, dateFormat, values[field.name] ?? {}))
    if (field.type !== 'choice') continue
    const mapped = values[field.name]
    const convert: Convert = mapped
      ? valueConverter(field.name, mapped)
      : (text) => ({ text: acceptedValue(field, text) ?? text })
    converters.set(field.name, remembered(convert))
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

/** Collects the different values of a column. If one value is not recognized, the questions cover all values of the column. */
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
    if (texts.every((text) => acceptedValue(field, text) !== undefined)) return []
    const listed = found.map(({ text, rows }) => `"${text}" (${countOf(rows, 'row')})`).join(', ')
    const accepted = Object.keys(field.values ?? {})
    const problem = `not all values in column "${column}" are recognized: ${listed}; accepted: ${accepted.join(', ')}`
    const meant = meaningsOf(field, texts)
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

/** The letters of a value, because words in capitals often have no accents. A region is removed from a language: `nl` for `nl-NL`. */
function plainValue(value: string): string {
  return lettersOf(value.replace(/^([a-z]{2})[-_][a-z]{2}$/i, '$1'))
}

/**
 * The suggested meaning of each value. If all values are accepted values, their meanings do not change. Otherwise, the meanings come from
 * the language in which most values are words. A value that is not a word in this language keeps its accepted meaning. A meaning is
 * undefined if the value is unknown, or if equally likely languages disagree.
 */
function meaningsOf(field: Field, values: readonly string[]): (string | undefined)[] {
  const readWith = (read: (value: string) => string | undefined) =>
    values.map((value) => (noValue.test(value) ? '' : read(value)))
  const words = { sex: sexWords, language: [languageWords] }[field.name] ?? []
  const isCode = field.name === 'language'
  const accepted = readWith((value) => acceptedValue(field, value))
  if (words.length === 0 || accepted.every((value) => value !== undefined)) return accepted
  const readings = words.map((spellings) =>
    readWith((value) => {
      const isWord = ([name, texts]: [string, readonly string[]]) =>
        (isCode ? [name, ...texts] : texts).some((text) => lettersOf(text) === plainValue(value))
      return Object.entries(spellings).find(isWord)?.[0]
    }),
  )
  const knownIn = (meant: readonly unknown[]) => meant.filter((value) => value !== undefined).length
  const most = Math.max(...readings.map(knownIn))
  const likely = readings.filter((meant) => knownIn(meant) === most)
  return accepted.map((value, at) => {
    const [meaning, ...others] = new Set(likely.map((meant) => meant[at] ?? value))
    return others.length === 0 ? meaning : undefined
  })
}

function wordsIn(text: string): readonly string[] {
  return text.split(' ')
}

/**
 * First letters and words for the sexes, in the languages of the service. Used only for suggestions, because M means a man in French and
 * a woman in Spanish.
 */
const sexWords: readonly Readonly<Record<string, readonly string[]>>[] = [
  { F: ['v', 'vrouw', 'vrouwelijk'], M: ['m', 'man', 'mannelijk'] },
  { F: ['w', 'weiblich', 'frau'], M: ['m', 'männlich', 'mann'] },
  { F: ['f', 'femme', 'féminin'], M: ['h', 'homme', 'masculin'] },
  { F: ['m', 'mujer', 'femenino'], M: ['h', 'hombre', 'masculino', 'varón'] },
  { F: ['k', 'kvinde', 'kvinne', 'kvinna'], M: ['m', 'mand', 'mann', 'man'] },
  { F: ['f', 'female', 'woman', 'girl'], M: ['m', 'male', 'man', 'boy'] },
  { F: ['f', 'femmina', 'donna'], M: ['m', 'maschio', 'uomo'] },
  { F: ['f', 'feminino', 'mulher'], M: ['m', 'masculino', 'homem'] },
  { F: ['k', 'kobieta'], M: ['m', 'mężczyzna'] },
  { F: ['k', 'kadın'], M: ['e', 'erkek'] },
  { F: ['ж', 'женский', 'женщина'], M: ['м', 'мужской', 'мужчина'] },
  { F: ['女', '女性', '여', '여성', '여자'], M: ['男', '男性', '남', '남성', '남자'] },
  { F: ['أنثى'], M: ['ذكر'] },
  { F: ['ж', 'жінка', 'жіноча'], M: ['ч', 'чоловік', 'чоловіча'] },
  { F: ['หญิง'], M: ['ชาย'] },
  { F: ['महिला'], M: ['पुरुष'] },
  { F: ['ž', 'žena'], M: ['m', 'muž'] },
  { F: ['n', 'nő'], M: ['f', 'férfi'] },
  { F: ['n', 'nainen', 'naine'], M: ['m', 'mies', 'mees'] },
  { F: ['γ', 'θ', 'γυναίκα', 'θήλυ'], M: ['α', 'άνδρας', 'άρρεν'] },
  { F: ['נ', 'נקבה'], M: ['ז', 'זכר'] },
  { F: ['nữ'], M: ['nam'] },
  { F: ['f', 'femeie', 'feminin'], M: ['b', 'bărbat', 'masculin'] },
  { F: ['ž', 'ženska', 'ženski', 'žensko'], M: ['m', 'moški', 'muški', 'muško'] },
  { F: ['ж', 'жена'], M: ['м', 'мъж'] },
  { F: ['s', 'sieviete'], M: ['v', 'vīrietis'] },
  // In Lithuanian, M is a woman and V is a man. In Dutch, they have the opposite meanings, so the letters are not in the list.
  { F: ['moteris'], M: ['vyras'] },
  { F: ['kvk', 'kona'], M: ['kk', 'karl'] },
  { F: ['p', 'perempuan', 'wanita'], M: ['l', 'laki-laki', 'pria'] },
  { F: ['زن'], M: ['مرد'] },
]

/** Whether a text is a word for a sex. A single letter is not enough, because it has several meanings. */
export function isSexWord(text: string): boolean {
  const word = text.toLowerCase()
  return word.length > 1 && sexWords.some(({ F, M }) => [F, M].some((words) => words?.includes(word)))
}

/** Names of the languages that a user can have, written in other languages. The names are only used for suggestions. */
const languageWords: Readonly<Record<string, readonly string[]>> = {
  en: wordsIn(
    'english engels englisch anglais engelsk engelska inglés inglês inglese angielski ingilizce 英語 英语 영어 английский',
  ),
  nl: wordsIn(
    'dutch nederlands niederländisch holländisch néerlandais hollandsk nederländska holandés holandês olandese holenderski',
  ),
  fr: wordsIn(
    'french frans französisch français fransk franska francés francês francese francuski fransızca フランス語',
  ),
  da: wordsIn('danish deens dänisch danois dansk danska danés dk'),
  sv: wordsIn('swedish zweeds schwedisch suédois svensk svenska sueco se'),
}
