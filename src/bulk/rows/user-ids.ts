import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../base/errors.ts'
import { count, invisible } from '../../base/text.ts'
import { uuidPattern } from '../../contract/values.ts'
import { type Cells, shownMark, trimmedText } from '../scan/cells.ts'
import type { Reason, UserKind } from '../types.ts'
import { plainName } from './fields.ts'
import { noValue } from './flag-values.ts'
import type { Cause } from './reasons.ts'
import type { IdRules, Layout } from './table.ts'

/** Maximum length of an ID in bytes. A longer ID does not fit into a URL. */
export const maxUserBytes = 1024

/** The kind of ID that names the user of a row. user_id is used if external_user_id is missing or empty. */
export function userKindIn(cells: Cells, { columns }: Layout): UserKind {
  const { external_user_id: external, user_id: internal } = columns
  return external < 0 || (internal >= 0 && cells.isEmpty(external)) ? 'user_id' : 'external_user_id'
}

/** Whether a row with an external user ID also has a user ID. */
export function hasBothIds(cells: Cells, { user_id: internal }: Layout['columns']): boolean {
  return internal >= 0 && !cells.isEmpty(internal)
}

/** The reason why a row has no valid user. If a row has both kinds of user ID, both must be valid. */
export function whyNoUserIn(
  cells: Cells,
  { columns, names }: Layout,
  kind: UserKind,
  ids: IdRules,
): Reason | undefined {
  const column = columns[kind]
  const start = cells.starts[column] as number
  const end = cells.ends[column] as number
  const isExternal = kind === 'external_user_id'
  // A fast check that is sufficient for nearly all rows.
  const isUsual = isExternal && end > start && end - start <= maxUserBytes
  if (!isUsual || !isUsualId(cells.bytes, start, end)) {
    if (!ids.isExact && end > start && repeatsHeader(cells, names, column))
      return { column: names[column], code: 'header_repeated', message: 'the row repeats the header' }
    const why = whyNoUser(cells.bytes.subarray(start, end), kind, ids)
    if (why) return { column: names[column], ...why }
  }
  if (!isExternal || !hasBothIds(cells, columns)) return undefined
  const [from, to] = [cells.starts[columns.user_id], cells.ends[columns.user_id]]
  const why = whyNoUser(cells.bytes.subarray(from, to), 'user_id')
  return why && { column: names[columns.user_id], ...why }
}

/** Whether the ID is the name of its column, or at least two cells are the names of their columns in any spelling. */
function repeatsHeader(cells: Cells, names: readonly string[], column: number): boolean {
  const isRepeated = (name: string, at: number) =>
    at < cells.count && /\p{L}/u.test(name) && plainName(cells.text(at)) === plainName(name)
  return cells.text(column) === trimmedText(names[column] ?? '') || names.filter(isRepeated).length > 1
}

const isPlain = new Uint8Array(256)
for (let byte = 0x21; byte < 0x7f; byte++) isPlain[byte] = 1
for (const sign of `#=+.,:'"[{`) isPlain[sign.charCodeAt(0)] = 0

/** Whether an ID needs no further check: it has only usual characters, cannot be a date or a number with an exponent, and is long or ends with a digit. */
function isUsualId(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isPlain[bytes[at] as number] === 0) return false
  const last = bytes[to - 1] as number
  if (canBeConverted(bytes, from, to)) return false
  // Booleans, words for totals, and usual column names have at most 24 characters, so a longer text is an ID.
  return (last >= 0x30 && last <= 0x39) || (last >= 0x41 && to - from > 24)
}

/** Whether an ID can be a date such as 14/03/2026, 14-Mar, or Mar-26, or a number such as 1E5. */
function canBeConverted(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > 12) return false
  const isSign = (at: number) => bytes[at] === 0x2d || bytes[at] === 0x2f
  if ((bytes[from] as number) > 0x39) return to - from < 8 && (isSign(from + 3) || isSign(from + 4))
  const isExponent = bytes[from + 1] === 0x45 || bytes[from + 1] === 0x65
  return isExponent || isSign(from + 1) || isSign(from + 2) || isSign(from + 4)
}

export function whyNoUser(
  bytes: Buffer,
  kind: UserKind,
  { isChecked }: Pick<IdRules, 'isChecked'> = { isChecked: true },
): Cause | undefined {
  if (bytes.length === 0) return { code: 'user_missing', message: 'the user ID is empty' }
  if (bytes.length > maxUserBytes) {
    return { code: 'user_too_long', message: `the user ID is longer than ${maxUserBytes} bytes` }
  }
  if (!isUtf8(bytes)) {
    return { code: 'user_encoding', message: 'the user ID is not UTF-8; save the file as UTF-8' }
  }
  const text = bytes.toString()
  if (bytes[0] === shownMark) return shownId(text.slice(1))
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) {
    return {
      code: 'user_control',
      message: 'the user ID contains a control character, such as a tab or a newline',
    }
  }
  if (kind === 'user_id' && !uuidPattern.test(text)) {
    return {
      code: 'user_not_uuid',
      message: 'user_id is not a UUID; name the column external_user_id if it contains your own IDs',
    }
  }
  return isChecked && kind === 'external_user_id' ? whyDamaged(text) : undefined
}

/** The reason why a workbook cell is not used as an ID. The cell is a date, or a number that is displayed with zeros. */
function shownId(shown: string): Cause {
  const what = shown.startsWith('\x01')
    ? `the spreadsheet stores the user ID as the number ${shown.slice(1)}, but may display it differently`
    : `the spreadsheet shows the user ID as ${shown}, but stores another value`
  return damaged(what)
}

function damaged(what: string, correction = inSpreadsheet): Cause {
  return { code: 'user_damaged', message: `${what}; ${correction}, or keep such IDs with --ids exact` }
}

const totals =
  'total(?:s|es?)?|totaal|totalt|totalsumma|gesamt(?:summe|ergebnis)?|summe|endsumme|somme|summa|suma|sum|i alt|razem|toplam|összesen|végösszeg|celkem|celkový součet|spolu|yhteensä|loppusumma|samtals|ukupno|skupaj|kokku|kopā|iš viso|jumlah|tổng(?: cộng)?|σύνολο|γενικό σύνολο|итого|всего|общий итог|усього|разом|общо|합계|총합계|총계|소계|[合总總][計计]|[小総][計计]|المجموع(?: الكلي)?|ال[إا]جمالي|جمع(?: کل)?|סה["״\u05f3\']*כ|कुल(?: योग)?|รวม|ยอดรวม'
const summaries =
  'count|anzahl|aantal|all|ø|average|mean|mittelwert|durchschnitt|gemiddelde|moyenne|gennemsnit|promedio|média|medelvärde|keskiarvo|średnia|průměr|átlag|ortalama|μέσος όρος|среднее|평균|平均|media|mediana?|snitt|antal|minimum|maximum'
/** Texts in the ID column of a line without a user: a row of totals, a line with the number of rows, or a separator line. */
const total = new RegExp(
  [
    '[-=_*+|.:\\\\]+',
    // A word in ASCII that ends with digits, such as ALL0012, can be an ID, so it does not mark a row of totals. Lists of users also accept
    // such a word as an ID.
    `(?![a-z]+\\d)(?:sub|grand |eind|genel )?(?:${totals}|${summaries})(?: g[eé]n[eé]ral| geral| generale| complessivo| końcowa)?[\\s:]*\\d*`,
    '\\(?\\d+ (?:rows?|records?)(?: affected)?\\)?',
  ]
    .map((text) => `^${text}$`)
    .join('|'),
  'i',
)
/** TRUE and FALSE, as spreadsheets write them in several languages. */
const boolean =
  /^(?:true|false|waar|onwaar|wahr|falsch|vrai|faux|verdadero|falso|sand|falsk|sant|falskt|verdadeiro|doğru|yanliş|prawda|fałsz|pravda|nepravda|igaz|hamis|истина|ложь|tosi|epätosi|αληθης|ψευδης)$/iu

const month =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mrz|mär|mai|okt|dez|mrt|mei|maj|janv|févr|fév|mars|avr|juin|juil|août|sept|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out)\\.?'
/** Dates and times, such as 2026-03-14, 14/03/2026, 14-Mar, and Mar-26. A spreadsheet converts an ID such as 3-14 to a date. */
const dateOrTime = new RegExp(
  [
    '(?:19|20)\\d\\d([-/.])\\d{1,2}\\1\\d{1,2}(?:[ T]\\d.*)?',
    '\\d{1,2}([-/.])\\d{1,2}\\2(?:19|20)\\d\\d(?:[ T]\\d.*)?',
    `\\d{1,2}[-. ]{1,2}${month}(?:[- ]\\d{2,4})?`,
    `${month}[- ]\\d{2}`,
    '\\d{1,2}:\\d\\d(?::\\d\\d)?',
  ]
    .map((text) => `^${text}$`)
    .join('|'),
  'iu',
)

const inSpreadsheet = 'format the column as text and export the file again'
const inFile = 'correct the file'

/** Texts that are probably not the intended ID, and how to correct them. There is no correction for a row without a user. */
const damages: readonly (readonly [text: RegExp, describe: (id: string) => string, correction?: string])[] = [
  [total, (id) => `"${id}" is probably not a user ID, but part of a row of totals or a separator line`],
  [noValue, (id) => `"${id}" is probably not a user ID, but a missing value`],
  [/[^\P{Nd}0-9]/u, (id) => `the user ID ${id} contains digits other than 0 to 9`, inFile],
  [
    /[\ufffd\p{Co}¶]|[ÂÃ][\u0080-\u00bf]|\+A[I-P][AEIMQUYcgkosw048]-/u,
    (id) => `the user ID ${id} has characters of a wrong encoding`,
    inFile,
  ],
  [invisible, (id) => `the user ID ${id} contains an invisible character`, inFile],
  [/^[[{]\s*"|^\[object /, (id) => `the user ID ${id} is an object or a list instead of plain text`, inFile],
  [/^#|^err:\d+$|^loading\.\.\.$/i, (id) => `the user ID is a spreadsheet error, "${id}"`, inSpreadsheet],
  [/^="/, (id) => `the user ID is a spreadsheet formula, ${id}`, inSpreadsheet],
  [dateOrTime, (id) => `the user ID ${id} is a date or a time`, inSpreadsheet],
  // Numbers such as 5.002E+03, 5E+15, 1.02E2, 1E5, 102.0, and 102,00. A text such as 12E5 can be an ID.
  [
    /^[+-]?\d+(?:[.,]\d*e\+?|e\+)\d+$|^[1-9]e\d+$|^\d+[.,]00?$/i,
    (id) => `a spreadsheet shows the user ID as ${id}`,
    inSpreadsheet,
  ],
  [
    /^\d{1,3}(?:[\s,'’]\d{2,3})*[\s,'’]\d{3}$|^[1-9]\d{0,2}(?:\.\d{3})+$/,
    (id) => `the user ID ${id} contains thousands separators`,
    inSpreadsheet,
  ],
  [/^'(?:\d+$|[=+@-]|.*'$)/, (id) => `the user ID ${id} starts with an apostrophe`, inSpreadsheet],
  [/^[“”„«»].*[“”«»]$/, (id) => `the user ID ${id} is enclosed in quotation marks`, inFile],
  [/^[-*•]\s/, (id) => `the user ID ${id} starts with a list bullet`, inFile],
  [boolean, (id) => `the user ID is the boolean ${id}`, inSpreadsheet],
]

/** The reason why a text is probably a damaged ID. The service stores only a hash, so a user with a wrong ID could not be found again. */
export function describeDamage(id: string): string | undefined {
  return damageOf(id)?.what
}

function damageOf(id: string): { what: string; correction: string | undefined } | undefined {
  const [, describe, correction] = damages.find(([text]) => text.test(id)) ?? []
  return describe && { what: describe(id.length > 40 ? `${id.slice(0, 40)}…` : id), correction }
}

function whyDamaged(id: string): Cause | undefined {
  const found = damageOf(id)
  if (found?.correction !== undefined) return damaged(found.what, found.correction)
  return found && { code: 'user_damaged', message: found.what }
}

/** Maximum number of users with both kinds of ID. They are kept in memory and looked up before the import. */
const maxPairs = 200_000

/** The users of rows that contain both IDs. In such a row, the external user ID identifies the user. */
export interface UserPairs {
  /** User IDs in the file, by external user ID. */
  readonly expected: Map<string, string>
  /** External user IDs for which the file and the service have different user IDs. */
  readonly others: ReadonlySet<string>
}

/** The reason why the two IDs of a row do not belong to the same user. Adds the IDs to `expected`. */
export function whyOtherUser(
  cells: Cells,
  { columns, names }: Layout,
  kind: UserKind,
  { expected, others }: UserPairs,
): Reason | undefined {
  if (kind === 'user_id' || !hasBothIds(cells, columns)) return undefined
  const external = cells.text(columns.external_user_id)
  const internal = cells.text(columns.user_id)
  const known = expected.get(external)
  if (known === undefined) expected.set(external, internal)
  if (expected.size > maxPairs)
    throw new UsageError(`more than ${count(maxPairs)} users have both IDs`, {
      hint: 'Split the file, or import it without comparing the IDs: --ignore-columns user_id',
    })
  if (!others.has(external) && (known === undefined || known === internal)) return undefined
  const message = 'the external user ID and the user ID of this row belong to different users'
  return { column: names[columns.user_id], code: 'user_both', message }
}
